//! Reading single members out of raw JSON objects. No types of the protocol.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::frame::RequestId;
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

/// The whole number or string at `key`.
pub(crate) fn id(map: &RawMap, key: &str) -> Option<RequestId> {
    let number = lenient(map, key).map(RequestId::Number);
    number.or_else(|| lenient(map, key).map(RequestId::Text))
}

/// The strings of the array at `key`; what is none is left out.
pub(crate) fn texts(map: &RawMap, key: &str) -> Vec<String> {
    let items = present(map, key).and_then(|raw| array(raw).ok()).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| serde_json::from_str(item.get()).ok())
        .collect()
}

/// True only where `true` stands at `key`.
pub(crate) fn holds(map: &RawMap, key: &str) -> bool {
    map.get(key).is_some_and(|raw| raw.get() == "true")
}
