//! What `elicitation/create` asks for: a flat form, or a page to open. Reads every enum shape of the schema files.
//! Not a validator: whether an answer fits is judged elsewhere.

use crate::model::read;
use crate::params::{Raw, RawMap};

/// A question to the person.
#[derive(Debug, Clone)]
pub enum Elicit {
    /// Fill a form.
    Form(ElicitForm),
    /// Open a page.
    Url {
        /// The address, as the server wrote it.
        url: String,
        /// Why.
        message: String,
        /// The server's name for this question (2025-11-25).
        elicitation_id: Option<String>,
    },
}

/// A form.
#[derive(Debug, Clone)]
pub struct ElicitForm {
    /// Why the server asks.
    pub message: String,
    /// The schema as it stood.
    pub requested_schema: Raw,
    /// The fields in the schema's order.
    pub fields: Vec<Field>,
}

/// One field of a form.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its key in the answer.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
    /// What it takes.
    pub kind: FieldKind,
    /// The default as it stood.
    pub default: Option<Raw>,
}

/// What a field takes.
#[derive(Debug, Clone)]
pub enum FieldKind {
    /// Text.
    Text {
        /// `email`, `uri`, `date`, `date-time`, or something else.
        format: Option<String>,
        /// Fewest characters.
        min_length: Option<u64>,
        /// Most characters.
        max_length: Option<u64>,
        /// A regular expression.
        pattern: Option<String>,
    },
    /// A number.
    Number {
        /// Whole numbers only.
        integer: bool,
        /// The lower limit as it stood.
        min: Option<Raw>,
        /// The upper limit as it stood.
        max: Option<Raw>,
    },
    /// Yes or no.
    Boolean,
    /// One of several.
    Choice {
        /// Value and title of each.
        options: Vec<(String, String)>,
    },
    /// Any of several.
    MultiChoice {
        /// Value and title of each.
        options: Vec<(String, String)>,
        /// Fewest.
        min: Option<u64>,
        /// Most.
        max: Option<u64>,
    },
}

/// Reads the params of `elicitation/create`. No `mode` means a form.
///
/// # Errors
/// Says what can't be read; a form that can't be shown whole is not shown in part.
pub fn parse(params: &RawMap) -> Result<Elicit, String> {
    let message = read::required_text(params, "message")?;
    let mode = match read::present(params, "mode") {
        None => "form".to_owned(),
        Some(_) => read::required_text(params, "mode")?,
    };
    match mode.as_str() {
        "form" => form(message, params).map(Elicit::Form),
        "url" => Ok(Elicit::Url {
            url: read::required_text(params, "url")?,
            message,
            elicitation_id: params.text("elicitationId"),
        }),
        other => Err(format!("mode {other:?} is not known")),
    }
}

fn form(message: String, params: &RawMap) -> Result<ElicitForm, String> {
    let requested_schema = read::raw(params, "requestedSchema").ok_or("requestedSchema is missing")?;
    let schema = read::object(&requested_schema).map_err(|reason| format!("requestedSchema: {reason}"))?;
    if read::present(&schema, "type").is_some() && schema.text("type").as_deref() != Some("object") {
        return Err("requestedSchema does not describe an object".into());
    }
    let required: Vec<String> = match read::present(&schema, "required") {
        None => Vec::new(),
        Some(raw) => serde_json::from_str(raw.get()).map_err(|_| "required is not a list of names")?,
    };
    let properties = match read::present(&schema, "properties") {
        None => RawMap::new(),
        Some(raw) => read::object(raw).map_err(|reason| format!("properties: {reason}"))?,
    };
    if let Some(missing) = required.iter().find(|name| properties.get(name).is_none()) {
        return Err(format!("field {missing:?} is required but not described"));
    }
    let fields = properties
        .iter()
        .map(|(name, raw)| {
            let described = read::object(raw).and_then(|map| field(name, required.iter().any(|r| r == name), &map));
            described.map_err(|reason| format!("field {name:?}: {reason}"))
        })
        .collect::<Result<_, _>>()?;
    Ok(ElicitForm {
        message,
        requested_schema,
        fields,
    })
}

fn field(name: &str, required: bool, map: &RawMap) -> Result<Field, String> {
    Ok(Field {
        name: name.to_owned(),
        title: read::lenient(map, "title"),
        description: read::lenient(map, "description"),
        required,
        kind: kind(map)?,
        default: read::raw(map, "default"),
    })
}

fn kind(map: &RawMap) -> Result<FieldKind, String> {
    if let Some(options) = options(map)? {
        return Ok(FieldKind::Choice { options });
    }
    match read::required_text(map, "type")?.as_str() {
        "string" => Ok(FieldKind::Text {
            format: read::lenient(map, "format"),
            min_length: read::lenient(map, "minLength"),
            max_length: read::lenient(map, "maxLength"),
            pattern: read::lenient(map, "pattern"),
        }),
        kind @ ("number" | "integer") => Ok(FieldKind::Number {
            integer: kind == "integer",
            min: read::raw(map, "minimum"),
            max: read::raw(map, "maximum"),
        }),
        "boolean" => Ok(FieldKind::Boolean),
        "array" => {
            let items = read::present(map, "items").ok_or("items is missing")?;
            let options = options(&read::object(items)?)?.ok_or("items names no choices")?;
            Ok(FieldKind::MultiChoice {
                options,
                min: read::lenient(map, "minItems"),
                max: read::lenient(map, "maxItems"),
            })
        }
        other => Err(format!("type {other:?} does not fit a flat form")),
    }
}

/// `enum` with or without `enumNames`, and `oneOf` or `anyOf` with `const` and `title`.
fn options(map: &RawMap) -> Result<Option<Vec<(String, String)>>, String> {
    if let Some(raw) = read::present(map, "enum") {
        let values: Vec<String> = serde_json::from_str(raw.get()).map_err(|_| "enum is not a list of strings")?;
        let titles: Vec<String> = read::lenient(map, "enumNames").unwrap_or_default();
        let title = |(index, value): (usize, String)| {
            let title = titles.get(index).cloned().unwrap_or_else(|| value.clone());
            (value, title)
        };
        return some_options(values.into_iter().enumerate().map(title).collect());
    }
    let Some(raw) = read::present(map, "oneOf").or_else(|| read::present(map, "anyOf")) else {
        return Ok(None);
    };
    let titled = |raw: &Raw| {
        let option = read::object(raw)?;
        let value = read::required_text(&option, "const")?;
        let title = option.text("title").unwrap_or_else(|| value.clone());
        Ok::<_, String>((value, title))
    };
    some_options(read::array(raw)?.iter().map(titled).collect::<Result<_, _>>()?)
}

fn some_options(options: Vec<(String, String)>) -> Result<Option<Vec<(String, String)>>, String> {
    if options.is_empty() {
        Err("there is nothing to choose from".into())
    } else {
        Ok(Some(options))
    }
}
