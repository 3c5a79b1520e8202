//! Ordered JSON objects whose values stay raw text, so that numbers keep every digit and order is the sender's.
//! Not a general JSON value: nothing here looks inside a value.

use std::collections::HashSet;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

/// Objects with fewer entries than this are looked through for a key.
const LOOKED_THROUGH: usize = 24;

/// A JSON value kept as its exact text.
pub type Raw = Box<RawValue>;

/// A JSON object in its own order with raw values.
#[derive(Debug, Clone, Default)]
pub struct RawMap(Vec<(String, Raw)>);

/// The params of one request.
pub type Params = RawMap;

impl RawMap {
    /// An empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses the text of one JSON object; a key that occurs twice is an error.
    ///
    /// # Errors
    /// The text is not one JSON object, or holds a key twice.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The object with `key` set to the JSON form of `value`, replacing an earlier one in place.
    #[must_use]
    pub fn with(mut self, key: &str, value: &impl Serialize) -> Self {
        let raw = to_raw_value(value).expect("protocol values serialise");
        self.set(key, raw);
        self
    }

    /// The object with `key` set to `raw`, replacing an earlier one in place.
    #[must_use]
    pub fn with_raw(mut self, key: &str, raw: Raw) -> Self {
        self.set(key, raw);
        self
    }

    /// The raw value at `key`.
    pub fn get(&self, key: &str) -> Option<&RawValue> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| &**v)
    }

    /// The string at `key`, where there is one that is a string.
    pub fn text(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?.get()).ok()
    }

    /// Entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(k, v)| (k.as_str(), &**v))
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object as one raw value.
    pub fn to_raw(&self) -> Raw {
        to_raw_value(self).expect("an object of raw values serialises")
    }

    fn set(&mut self, key: &str, raw: Raw) {
        match self.0.iter_mut().find(|(k, _)| k == key) {
            Some(slot) => slot.1 = raw,
            None => self.0.push((key.to_owned(), raw)),
        }
    }
}

impl FromIterator<(String, Raw)> for RawMap {
    fn from_iter<I: IntoIterator<Item = (String, Raw)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, raw) in entries {
            map.set(&key, raw);
        }
        map
    }
}

impl Serialize for RawMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, raw) in &self.0 {
            map.serialize_entry(key, raw)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for RawMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = RawMap;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<RawMap, A::Error> {
                let mut entries: Vec<(String, Raw)> = Vec::new();
                let mut seen = HashSet::new();
                while let Some((key, raw)) = access.next_entry::<String, Raw>()? {
                    // Most objects are small: looking through them is faster than keeping a set beside them.
                    let twice = if entries.len() < LOOKED_THROUGH {
                        entries.iter().any(|(other, _)| *other == key)
                    } else {
                        if seen.is_empty() {
                            seen.extend(entries.iter().map(|(other, _)| other.clone()));
                        }
                        !seen.insert(key.clone())
                    };
                    if twice {
                        return Err(serde::de::Error::custom(format_args!("key {key:?} occurs twice")));
                    }
                    entries.push((key, raw));
                }
                Ok(RawMap(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_occurs_twice_is_an_error_in_objects_of_every_size() {
        for count in [1, 2, LOOKED_THROUGH - 1, LOOKED_THROUGH, LOOKED_THROUGH + 1, 500] {
            let once: Vec<String> = (0..count).map(|at| format!("\"k{at}\":{at}")).collect();
            let map = RawMap::parse(&format!("{{{}}}", once.join(","))).expect("each key stands once");
            assert_eq!(map.len(), count, "every entry is kept");
            for twice in [0, count / 2, count - 1] {
                let text = format!("{{{},\"k{twice}\":0}}", once.join(","));
                let error = RawMap::parse(&text).expect_err("a key stands twice");
                assert!(
                    error.to_string().contains(&format!("\"k{twice}\" occurs twice")),
                    "the key is named: {error}"
                );
            }
        }
    }
}
