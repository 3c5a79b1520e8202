//! How large and how costly JSON of a server's is, before anything is made of it.

use std::collections::BTreeMap;

use serde_json::Value;

/// Parses text of at most `most` bytes. serde_json itself stops at 128 levels.
pub(super) fn parse(text: &str, most: usize) -> Result<Value, String> {
    if text.len() > most {
        return Err(format!("is larger than {most} bytes"));
    }
    serde_json::from_str(text).map_err(|e| format!("can't be read: {e}"))
}

/// About how many nodes a check of this schema can visit when every reference is followed once a place: a document that is
/// small in bytes can stand for an endless one. Cycles count once; the fuel stops them where they burn.
pub(super) fn cost(schema: &Value) -> u64 {
    Costs {
        root: schema,
        of_pointer: BTreeMap::new(),
    }
    .of(schema)
}

struct Costs<'a> {
    root: &'a Value,
    /// None while it is being counted.
    of_pointer: BTreeMap<String, Option<u64>>,
}

impl Costs<'_> {
    fn of(&mut self, value: &Value) -> u64 {
        match value {
            Value::Array(items) => items.iter().fold(1, |sum: u64, item| sum.saturating_add(self.of(item))),
            Value::Object(members) => {
                let children = members
                    .iter()
                    .filter(|(key, _)| !matches!(key.as_str(), "$defs" | "definitions" | "enum" | "const"));
                let own = children.fold(1, |sum: u64, (_, child)| sum.saturating_add(self.of(child)));
                let reference = members.get("$ref").and_then(Value::as_str);
                own.saturating_add(reference.map_or(0, |reference| self.of_reference(reference)))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
        }
    }

    fn of_reference(&mut self, reference: &str) -> u64 {
        let Some(pointer) = reference.strip_prefix('#') else {
            return 0;
        };
        if let Some(known) = self.of_pointer.get(pointer) {
            return known.unwrap_or(0);
        }
        let root = self.root;
        let Some(target) = root.pointer(&percent_encoding::percent_decode_str(pointer).decode_utf8_lossy()) else {
            return 0;
        };
        self.of_pointer.insert(pointer.to_owned(), None);
        let cost = self.of(target);
        self.of_pointer.insert(pointer.to_owned(), Some(cost));
        cost
    }
}
