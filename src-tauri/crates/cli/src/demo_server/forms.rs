//! The forms of the demo server, and reading what a person filled in. The host checks a form before it sends it; a server
//! checks again, since it must not trust its client.

use serde_json::{Map, Value, json};

use super::reply::Failure;

/// What became of a form.
#[derive(Debug, PartialEq)]
pub enum Filled {
    /// Filled in and sent.
    Accepted(Map<String, Value>),
    /// The person said no.
    Declined,
    /// The person closed it without a decision.
    Cancelled,
}

/// The form of `greet`.
pub fn greeting() -> Value {
    form(
        "Whom shall I greet, and how?",
        json!({
            "name": {"type": "string", "title": "Name", "description": "Who is greeted.", "minLength": 1, "maxLength": 60},
            "style": {
                "type": "string",
                "title": "Style",
                "oneOf": [
                    {"const": "plain", "title": "Plain"},
                    {"const": "loud", "title": "Loud!"},
                    {"const": "formal", "title": "Formal, with a bow"},
                ],
                "default": "plain",
            },
            "times": {
                "type": "integer",
                "title": "Times",
                "description": "How often, from 1 to 5.",
                "minimum": 1,
                "maximum": 5,
                "default": 1,
            },
            "polite": {"type": "boolean", "title": "Ask how they are", "default": true},
        }),
        &["name"],
    )
}

/// The form of `tidy_plan`.
pub fn tidying() -> Value {
    form(
        "What should the tidy-up look for?",
        json!({
            "what": {
                "type": "string",
                "title": "Look for",
                "oneOf": [
                    {"const": "old", "title": "Files nobody has opened for long"},
                    {"const": "double", "title": "Files that are there twice"},
                    {"const": "empty", "title": "Empty folders"},
                ],
                "default": "old",
            },
            "months": {"type": "number", "title": "Months", "description": "How long is long.", "minimum": 0.5, "default": 6},
        }),
        &["what"],
    )
}

/// The form of `two_rounds`: which of these.
pub fn favourite(names: &[String]) -> Value {
    form(
        "Which of your folders do you like best?",
        json!({"folder": {"type": "string", "title": "Folder", "enum": names}}),
        &["folder"],
    )
}

fn form(message: &str, properties: Value, required: &[&str]) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": {"type": "object", "properties": properties, "required": required},
        },
    })
}

/// Reads the answer to a form.
pub fn read(answer: &Value) -> Result<Filled, Failure> {
    match answer.get("action").and_then(Value::as_str) {
        Some("accept") => match answer.get("content") {
            Some(Value::Object(content)) => Ok(Filled::Accepted(content.clone())),
            None => Ok(Filled::Accepted(Map::new())),
            Some(_) => Err(Failure::invalid("the content of a form must be an object")),
        },
        Some("decline") => Ok(Filled::Declined),
        Some("cancel") => Ok(Filled::Cancelled),
        _ => Err(Failure::invalid(
            "the answer to a form must say accept, decline or cancel",
        )),
    }
}

/// A text field of a form that must be one of a few, or its default where it was left out.
pub fn choice<'a>(
    content: &'a Map<String, Value>,
    name: &str,
    of: &[&str],
    default: Option<&'a str>,
) -> Result<&'a str, Failure> {
    let chosen = match content.get(name) {
        None => default,
        Some(value) => value.as_str(),
    };
    let chosen = chosen.filter(|chosen| of.contains(chosen));
    chosen.ok_or_else(|| Failure::invalid(format!("{name} must be one of: {}", of.join(", "))))
}
