//! Templates of resource addresses (RFC 6570): which variables one has, and the address that values make of it. Nothing is
//! read here.
//!
//! All four levels of the RFC are understood. A variable holds one text, or, where it is exploded (`{/path*}`), a list with one
//! item a line; associative values are not offered, since a form has no place for them. An empty value leaves its variable out.

use iri_string::spec::UriSpec;
use iri_string::template::UriTemplateStr;
use iri_string::template::simple_context::{SimpleContext, Value};

use crate::bounds;
use crate::error::{HostError, Result};
use crate::harmless;

/// One variable of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// True where it takes a list.
    pub several: bool,
}

/// The variables of a template in the order in which they first stand, each once.
///
/// # Errors
/// It is no template, or larger than what is read; in words.
pub fn variables(template: &str) -> std::result::Result<Vec<Variable>, String> {
    let mut found: Vec<Variable> = Vec::new();
    for name in parse(template)?.variables() {
        if found.iter().any(|known| known.name == name.as_str()) {
            continue;
        }
        if found.len() == bounds::TEMPLATE_VARIABLES {
            return Err(format!("it has more than {} variables", bounds::TEMPLATE_VARIABLES));
        }
        found.push(Variable {
            name: name.as_str().to_owned(),
            several: several(template, name.as_str()),
        });
    }
    Ok(found)
}

/// The address that a template and these values make.
///
/// # Errors
/// It is no template, a value is for no variable of it, or the address is too long.
pub fn expand(template: &str, values: &[(String, String)]) -> Result<String> {
    let invalid = |reason: String| HostError::Invalid {
        reason: format!("the template makes no address: {reason}"),
    };
    let variables = variables(template).map_err(invalid)?;
    let mut context = SimpleContext::new();
    for (name, value) in values {
        let Some(variable) = variables.iter().find(|variable| variable.name == *name) else {
            return Err(invalid(format!("it has no variable {}", harmless::line(name, 100))));
        };
        if value.is_empty() {
            continue;
        }
        let value = if variable.several {
            Value::List(
                value
                    .lines()
                    .filter(|line| !line.is_empty())
                    .map(str::to_owned)
                    .collect(),
            )
        } else {
            Value::String(value.clone())
        };
        context.insert(name.as_str(), value);
    }
    let address = parse(template)
        .map_err(invalid)?
        .expand::<UriSpec, _>(&context)
        .map_err(|e| invalid(e.to_string()))?
        .to_string();
    if address.len() > bounds::ADDRESS {
        return Err(invalid(format!("it is longer than {} bytes", bounds::ADDRESS)));
    }
    Ok(address)
}

fn parse(template: &str) -> std::result::Result<&UriTemplateStr, String> {
    if template.len() > bounds::ADDRESS {
        return Err(format!("it is longer than {} bytes", bounds::ADDRESS));
    }
    UriTemplateStr::new(template).map_err(|e| e.to_string())
}

/// Whether a variable is exploded wherever it stands. A list can't be cut (`{name:3}`), so one such place makes it a text.
fn several(template: &str, name: &str) -> bool {
    let places = template.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let mut places = places
        .flat_map(|(expression, _)| {
            expression
                .trim_start_matches(['+', '#', '.', '/', ';', '?', '&'])
                .split(',')
        })
        .filter(|place| place.trim_end_matches('*').split(':').next() == Some(name))
        .peekable();
    places.peek().is_some() && places.all(|place| place.ends_with('*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, values: &[(&str, &str)], address: &str) {
        let values: Vec<_> = values.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        assert_eq!(expand(template, &values).expect("it expands"), address, "{template}");
    }

    #[test]
    fn values_make_an_address_as_the_rfc_says() {
        check("demo://text/{id}", &[("id", "7")], "demo://text/7");
        check("x:/{id}", &[("id", "a b/ä&%")], "x:/a%20b%2F%C3%A4%26%25");
        check("file:///{+path}", &[("path", "a/b c")], "file:///a/b%20c");
        check(
            "r://{o}/c{/path*}{?ref}",
            &[("o", "me"), ("path", "src\nmain.rs")],
            "r://me/c/src/main.rs",
        );
        check("r:/{?q,n}", &[("q", ""), ("n", "2")], "r:/?n=2");
        check("r:/{?tag*}", &[("tag", "a\n\nb")], "r:/?tag=a&tag=b");
        check("r:/{id:3}", &[("id", "abcdef")], "r:/abc");
        check("r:/{id*}/{id:2}", &[("id", "abc")], "r:/abc/ab");
        check("r:/fixed", &[], "r:/fixed");
    }

    #[test]
    fn variables_come_once_and_in_order() {
        let names = |template: &str| -> Vec<(String, bool)> {
            let found = variables(template).expect("it is a template");
            found.into_iter().map(|v| (v.name, v.several)).collect()
        };
        let expect = [("b", false), ("a", true)].map(|(name, several)| (name.to_owned(), several));
        assert_eq!(names("x:/{b}{/a*}{?b}"), expect);
        assert_eq!(names("x:/none"), []);
    }

    #[test]
    fn what_is_no_template_is_said_to_be_none() {
        for broken in ["x:/{", "x:/}", "x:/{!a}", "x:/{a b}", &"x".repeat(bounds::ADDRESS + 1)] {
            assert!(variables(broken).is_err(), "{broken:.20}");
            assert!(expand(broken, &[]).is_err(), "{broken:.20}");
        }
        let many: String = (0..=bounds::TEMPLATE_VARIABLES).map(|n| format!("{{v{n}}}")).collect();
        assert!(variables(&many).is_err(), "the number of variables is bounded");
        let other = expand("x:/{a}", &[("b".to_owned(), "1".to_owned())]);
        assert!(other.is_err(), "a value for no variable is a mistake");
        let long = expand("x:/{a}", &[("a".to_owned(), "ä".repeat(bounds::ADDRESS / 5))]);
        assert!(long.is_err(), "the address is bounded too");
    }
}
