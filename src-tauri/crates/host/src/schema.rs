//! Checks of JSON against a schema that a server wrote. Bounded in size, depth, cost and time, and never over the network:
//! a schema that can't be used is said to be so, and blocks nothing.

mod fuel;
mod size;

use jsonschema::{PatternOptions, Retrieve, Uri};
use serde_json::Value;

use crate::bounds;
use crate::harmless;

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// The value fits.
    Fits,
    /// It does not.
    Misfits(Vec<Fault>),
    /// The schema could not be used, in words.
    Unusable(String),
}

/// One place where a value does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer to the place; empty for the whole.
    pub path: String,
    /// What is wrong there, harmless.
    pub message: String,
}

/// Checks the text of a value against the text of a schema, off the tasks that serve connections.
pub async fn check(schema: String, value: String) -> Checked {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    // A thread of its own: one that a costly schema keeps busy must not take a place among those that serve the rest.
    let started = std::thread::Builder::new()
        .name("schema check".into())
        .stack_size(bounds::SCHEMA_STACK)
        .spawn(move || {
            let checked = std::panic::catch_unwind(|| check_now(&schema, &value));
            let _ = sender.send(checked.unwrap_or_else(|_| too_costly()));
        });
    if let Err(error) = started {
        return Checked::Unusable(format!("no thread for the check: {error}"));
    }
    match tokio::time::timeout(bounds::SCHEMA_TIME * 2, receiver).await {
        Ok(Ok(checked)) => checked,
        Ok(Err(_)) | Err(_) => too_costly(),
    }
}

fn check_now(schema: &str, value: &str) -> Checked {
    let unusable = |reason: String| Checked::Unusable(harmless::line(&reason, bounds::LINE));
    let mut schema: Value = match size::parse(schema, bounds::SCHEMA_BYTES) {
        Ok(schema) => schema,
        Err(reason) => return unusable(format!("the schema {reason}")),
    };
    let value: Value = match size::parse(value, bounds::CHECKED_BYTES) {
        Ok(value) => value,
        Err(reason) => return unusable(format!("the value {reason}")),
    };
    if let Err(reason) = dialect(&schema) {
        return unusable(reason);
    }
    if size::cost(&schema) > bounds::SCHEMA_COST {
        return too_costly();
    }
    fuel::fill(&mut schema);
    let options = jsonschema::options()
        .with_pattern_options(PatternOptions::regex().size_limit(bounds::PATTERN_BYTES))
        .with_retriever(Never)
        .should_validate_formats(true)
        .with_keyword(fuel::KEYWORD, fuel::keyword(bounds::SCHEMA_TIME));
    let validator = match options.build(&schema) {
        Ok(validator) => validator,
        Err(error) => return unusable(format!("the schema can't be used: {error}")),
    };
    let faults: Vec<Fault> = validator
        .iter_errors(&value)
        .take(bounds::SCHEMA_FAULTS)
        .map(|error| Fault {
            path: error.instance_path().to_string(),
            message: harmless::line(&error.to_string(), bounds::LINE),
        })
        .collect();
    if faults.is_empty() {
        Checked::Fits
    } else {
        Checked::Misfits(faults)
    }
}

/// A dialect that is named must be one that is known; none named means 2020-12.
fn dialect(schema: &Value) -> Result<(), String> {
    let Some(named) = schema.get("$schema") else {
        return Ok(());
    };
    let named = named.as_str().ok_or("its $schema is not a text")?;
    let known = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"];
    let known = known
        .iter()
        .any(|draft| named.contains("json-schema.org") && named.contains(draft));
    if known {
        Ok(())
    } else {
        Err(format!("its dialect {named} is not known"))
    }
}

fn too_costly() -> Checked {
    Checked::Unusable(format!(
        "the schema takes too long to check (more than {} s)",
        bounds::SCHEMA_TIME.as_secs().max(1)
    ))
}

/// References leave the document for nowhere.
struct Never;

impl Retrieve for Never {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("it refers to {uri}; references outside the schema are never fetched").into())
    }
}

#[cfg(test)]
mod tests;
