//! Reading single members out of raw JSON objects. No types of the protocol.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::params::{Raw, RawMap};

/// The object in `raw`, or why it is none.
pub(crate) fn object(raw: &RawValue) -> Result<RawMap, String> {
    if !raw.get().starts_with('{') {
        return Err("not an object".into());
    }
    RawMap::parse(raw.get()).map_err(|error| error.to_string())
}

/// The elements of the array in `raw`.
pub(crate) fn array(raw: &RawValue) -> Result<Vec<Raw>, String> {
    if !raw.get().starts_with('[') {
        return Err("not an array".into());
    }
    serde_json::from_str(raw.get()).map_err(|error| error.to_string())
}

/// The member `key`, where it is there and not null.
pub(crate) fn present<'a>(map: &'a RawMap, key: &str) -> Option<&'a RawValue> {
    map.get(key).filter(|raw| raw.get() != "null")
}

/// The string that must stand at `key`.
pub(crate) fn required_text(map: &RawMap, key: &str) -> Result<String, String> {
    let raw = map.get(key).ok_or_else(|| format!("{key} is missing"))?;
    serde_json::from_str(raw.get()).map_err(|_| format!("{key} is not a string"))
}

/// The value at `key` where it has the wanted type; anything else counts as absent.
pub(crate) fn lenient<'a, T: Deserialize<'a>>(map: &'a RawMap, key: &str) -> Option<T> {
    serde_json::from_str(present(map, key)?.get()).ok()
}

/// The raw value at `key`, where it is there and not null.
pub(crate) fn raw(map: &RawMap, key: &str) -> Option<Raw> {
    present(map, key).map(ToOwned::to_owned)
}
