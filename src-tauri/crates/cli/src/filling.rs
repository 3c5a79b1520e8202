//! What the flags put into a form: given fields, defaults of the others, bare words where texts are meant. Not whether it
//! fits: the host checks that.

use gatehouse_host::view::{FieldKind, FieldView};

/// True where the form has a field of this key.
pub fn asks_for(fields: &[FieldView], key: &str) -> bool {
    fields.iter().any(|field| field.key == key)
}

/// True where a form can be sent with nothing typed.
pub fn needs_nothing(fields: &[FieldView]) -> bool {
    fields.iter().all(|field| !field.required || field.default.is_some())
}

/// The content of a form: its fields as they were given, and the defaults of its others. What was given for another form
/// stays out. A bare word is a text where a text is meant.
pub fn content(given: &[(String, String)], fields: &[FieldView]) -> String {
    let mut members: Vec<String> = Vec::new();
    let mut member = |key: &str, value: &str| members.push(format!("{}:{value}", serde_json::Value::from(key)));
    for field in fields {
        match given.iter().find(|(key, _)| *key == field.key) {
            Some((_, value)) => member(&field.key, &json_value(value, &field.kind)),
            None => {
                if let Some(default) = &field.default {
                    member(&field.key, default);
                }
            }
        }
    }
    format!("{{{}}}", members.join(","))
}

fn json_value(text: &str, kind: &FieldKind) -> String {
    let parsed: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let means_text = matches!(kind, FieldKind::Text { .. } | FieldKind::Choice { .. });
    match parsed {
        Some(value) if !means_text || value.is_string() => text.to_owned(),
        Some(_) | None => serde_json::Value::from(text).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_content_takes_json_bare_words_and_defaults() {
        let field = |key: &str, kind: FieldKind, default: Option<&str>| FieldView {
            key: key.into(),
            title: key.into(),
            description: None,
            required: false,
            default: default.map(str::to_owned),
            kind,
        };
        let text = || FieldKind::Text {
            format: None,
            min_length: None,
            max_length: None,
        };
        let number = || FieldKind::Number {
            integer: true,
            minimum: None,
            maximum: None,
        };
        let fields = [
            field("name", text(), None),
            field("n", number(), Some("3")),
            field("yes", FieldKind::Boolean, None),
        ];
        let check = |given: &[(&str, &str)], expect: &str| {
            let given: Vec<_> = given.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            assert_eq!(content(&given, &fields), expect);
        };
        check(&[("name", "Ada")], r#"{"name":"Ada","n":3}"#);
        check(
            &[("name", "\"Ada\""), ("yes", "true")],
            r#"{"name":"Ada","n":3,"yes":true}"#,
        );
        check(
            &[("name", "12"), ("n", "12345678901234567890123")],
            r#"{"name":"12","n":12345678901234567890123}"#,
        );
        check(&[("other", "x"), ("name", "Ada")], r#"{"name":"Ada","n":3}"#);
    }
}
