//! Fuel: a keyword that is put into every part of a schema and ends the check when its time is up. The validator can't be
//! stopped from outside; a panic from inside, caught by the checking thread, stops it at once.

use std::time::{Duration, Instant};

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

/// A name that no server's schema uses.
pub(super) const KEYWORD: &str = "x-gatehouse-fuel";

struct Fuel {
    until: Instant,
}

impl Fuel {
    fn burn(&self) {
        assert!(Instant::now() < self.until, "the check has run out of time");
    }
}

impl Keyword<'_> for Fuel {
    fn validate(&self, _: &Value) -> Result<(), ValidationError<'static>> {
        self.burn();
        Ok(())
    }

    fn is_valid(&self, _: &Value) -> bool {
        self.burn();
        true
    }
}

/// The keyword's maker; the time runs from here.
#[allow(clippy::type_complexity, reason = "the validator's own signature")]
pub(super) fn keyword(
    time: Duration,
) -> impl for<'a> Fn(&'a Map<String, Value>, &'a Value, Location) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>>
{
    let until = Instant::now() + time;
    move |_, _, _| Ok(Box::new(Fuel { until }))
}

/// Puts the keyword into every schema of a document, and into nothing that is a value.
pub(super) fn fill(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(fill),
        Value::Object(members) => {
            for (key, child) in members.iter_mut() {
                match key.as_str() {
                    "enum" | "const" | "default" | "examples" | "required" | "dependentRequired" | "$vocabulary" => {}
                    "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
                    | "dependencies" => {
                        if let Value::Object(named) = child {
                            named.values_mut().filter(|one| one.is_object()).for_each(fill);
                        }
                    }
                    _ => fill(child),
                }
            }
            members.insert(KEYWORD.to_owned(), Value::Bool(true));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
