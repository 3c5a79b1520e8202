//! Fills a script's text with pieces of the request it answers, as they stood on the wire.
//!
//! `$id` (the raw id, `null` for a notification), `$state` (the raw `requestState`), `$params` and `$params.a.b` (raw),
//! `$frame` (the whole line), `$n` (which occurrence of its rule this is, from 1). A placeholder that fills a JSON string by
//! itself (`"$id"`) loses the quotes, so that scripts stay JSON. What is missing becomes `null`.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// The request that a text is filled from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The whole line.
    pub frame: String,
    /// The raw text of the id, where there is one.
    pub id: Option<String>,
    /// The raw text of the params, where there are any.
    pub params: Option<String>,
    /// Which occurrence of its rule this is, from 1.
    pub occurrence: u64,
}

impl Source {
    /// The raw text at a path of member names below the params.
    pub fn param(&self, path: &[&str]) -> Option<String> {
        let mut here = self.params.clone()?;
        for name in path {
            let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&here).ok()?;
            here = members.get(*name)?.get().to_owned();
        }
        Some(here)
    }
}

/// Fills the placeholders of `text`.
pub fn fill(text: &str, source: &Source) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, tail) = rest.split_at(at);
        let name_len = tail[1..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || "._-:/".contains(c)))
            .unwrap_or(tail.len() - 1);
        let name = &tail[1..1 + name_len];
        let Some(value) = value(name, source) else {
            filled.push_str(before);
            filled.push('$');
            rest = &tail[1..];
            continue;
        };
        let after = &tail[1 + name_len..];
        if before.ends_with('"') && after.starts_with('"') {
            filled.push_str(&before[..before.len() - 1]);
            rest = &after[1..];
        } else {
            filled.push_str(before);
            rest = after;
        }
        filled.push_str(&value);
    }
    filled.push_str(rest);
    filled
}

fn value(name: &str, source: &Source) -> Option<String> {
    let or_null = |raw: Option<String>| Some(raw.unwrap_or_else(|| "null".into()));
    match name {
        "id" => or_null(source.id.clone()),
        "state" => or_null(source.param(&["requestState"])),
        "params" => or_null(source.params.clone()),
        "frame" => Some(source.frame.clone()),
        "n" => Some(source.occurrence.to_string()),
        _ => {
            let path: Vec<&str> = name.strip_prefix("params.")?.split('.').collect();
            or_null(source.param(&path))
        }
    }
}
