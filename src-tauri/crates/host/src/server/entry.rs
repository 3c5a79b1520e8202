//! One entry of `servers.json`, read tolerantly: what can't be used is said, and costs this entry alone.

use serde_json::{Map, Value};

use super::{Definition, Fingerprint};

/// An entry as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The definition; empty parts where they can't be read.
    pub definition: Definition,
    /// Its fingerprint, worked out once: every call needs it.
    pub fingerprint: Fingerprint,
    /// Switched off in the file.
    pub disabled: bool,
    /// Why it can't be used, where it can't.
    pub problem: Option<String>,
}

/// Reads an entry.
pub fn read(name: &str, value: &Value) -> Entry {
    let mut definition = Definition {
        name: name.to_owned(),
        command: String::new(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
    };
    let (disabled, problem) = match value {
        Value::Object(object) => (
            object.get("disabled").and_then(Value::as_bool).unwrap_or(false),
            fill(&mut definition, object).err(),
        ),
        _ => (false, Some(format!("the entry is {}, not an object", kind(value)))),
    };
    Entry {
        fingerprint: definition.fingerprint(),
        definition,
        disabled,
        problem,
    }
}

fn fill(definition: &mut Definition, object: &Map<String, Value>) -> Result<(), String> {
    if name_trouble(&definition.name).is_some() {
        return Err(name_trouble(&definition.name).unwrap_or_default());
    }
    if !object.contains_key("command") && (object.contains_key("url") || object.contains_key("serverUrl")) {
        return Err("it has a URL; this version of Gatehouse starts commands only".into());
    }
    definition.command = match object.get("command") {
        Some(Value::String(command)) if !command.trim().is_empty() => command.clone(),
        Some(Value::String(_)) => return Err("“command” is empty".into()),
        Some(other) => return Err(format!("“command” is {}, not a text", kind(other))),
        None => return Err("it has no “command”".into()),
    };
    definition.args = match object.get("args") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(args)) => args
            .iter()
            .enumerate()
            .map(|(at, arg)| scalar(arg).ok_or_else(|| format!("argument {} is {}, not a text", at + 1, kind(arg))))
            .collect::<Result<_, _>>()?,
        Some(other) => return Err(format!("“args” is {}, not a list", kind(other))),
    };
    definition.env = match object.get("env") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Object(env)) => env
            .iter()
            .map(|(key, value)| {
                if key.is_empty() || key.contains(['=', '\0']) {
                    return Err(format!("“{key}” can't be the name of an environment variable"));
                }
                let value =
                    scalar(value).ok_or_else(|| format!("the environment's “{key}” is {}, not a text", kind(value)))?;
                Ok((key.clone(), value))
            })
            .collect::<Result<_, _>>()?,
        Some(other) => return Err(format!("“env” is {}, not an object", kind(other))),
    };
    definition.cwd = match object.get("cwd") {
        None | Some(Value::Null) => None,
        Some(Value::String(cwd)) => Some(cwd.clone()),
        Some(other) => return Err(format!("“cwd” is {}, not a text", kind(other))),
    };
    let texts = std::iter::once(&definition.command)
        .chain(&definition.args)
        .chain(definition.env.iter().map(|(_, v)| v));
    if texts.chain(&definition.cwd).any(|text| text.contains('\0')) {
        return Err("it holds a zero character, which no command can be given".into());
    }
    Ok(())
}

/// Why a name can't be one; none when it can.
pub fn name_trouble(name: &str) -> Option<String> {
    if name.trim().is_empty() {
        return Some("a server's name can't be empty".into());
    }
    if name.trim() != name || name.chars().any(char::is_control) || name.chars().count() > 100 {
        return Some(
            "a server's name has at most 100 characters, no control characters, and no space at its ends".into(),
        );
    }
    None
}

/// Texts as they are; numbers and truth values, which people write without quotes, as they are spelled.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
