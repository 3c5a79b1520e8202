//! Walking over bytes that may be broken: depth and surrogates, the id of a wrecked answer, a glance for a traffic view.
//! Never decides that a frame is good.

use memchr::memchr2;

use super::RequestId;
use crate::bounds::DEPTH;

/// What a traffic view needs of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    /// The method, where there is one.
    pub method: Option<String>,
    /// The id as text, where there is one.
    pub id: Option<String>,
    /// What the frame seems to be.
    pub kind: GlanceKind,
}

/// What a frame seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlanceKind {
    /// A request.
    Request,
    /// A notification.
    Notification,
    /// A good answer.
    Result,
    /// A bad answer.
    Error,
    /// Nothing that can be told.
    Unreadable,
}

/// Looks at one frame without judging it.
pub fn glance(bytes: &[u8]) -> Glance {
    let sniffed = sniff(bytes);
    let kind = match &sniffed {
        Sniffed {
            method: Some(_),
            has_id: true,
            ..
        } => GlanceKind::Request,
        Sniffed {
            method: Some(_),
            has_id: false,
            ..
        } => GlanceKind::Notification,
        Sniffed { has_error: true, .. } => GlanceKind::Error,
        Sniffed { has_result: true, .. } => GlanceKind::Result,
        _ => GlanceKind::Unreadable,
    };
    let id = sniffed.id.map(|id| match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::Text(text) => text,
    });
    Glance {
        method: sniffed.method,
        id,
        kind,
    }
}

/// What stands at the top level of an object that may be broken or cut.
#[derive(Debug, Default)]
pub(crate) struct Sniffed {
    /// The method.
    pub method: Option<String>,
    /// The id, where it is a string or a whole number in any spelling.
    pub id: Option<RequestId>,
    /// There is an id of some kind.
    pub has_id: bool,
    /// There is a result.
    pub has_result: bool,
    /// There is an error.
    pub has_error: bool,
    has_jsonrpc: bool,
}

impl Sniffed {
    /// True where it looks like an answer to a request.
    pub(crate) fn is_answer(&self) -> bool {
        self.method.is_none() && (self.has_result || self.has_error || (self.has_jsonrpc && self.has_id))
    }
}

/// Reads what can be read at the top level of `bytes`.
pub(crate) fn sniff(bytes: &[u8]) -> Sniffed {
    let mut sniffed = Sniffed::default();
    let mut at = match bytes.iter().position(|byte| !byte.is_ascii_whitespace()) {
        Some(at) if bytes[at] == b'{' => at + 1,
        _ => return sniffed,
    };
    let mut depth = 1usize;
    while at < bytes.len() && depth > 0 {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'"' => {
                let end = string_end(bytes, at);
                if depth == 1 && bytes.get(skip_space(bytes, end)) == Some(&b':') {
                    let value = skip_space(bytes, skip_space(bytes, end) + 1);
                    note(
                        &mut sniffed,
                        text(&bytes[at..end]).as_deref(),
                        &bytes[value.min(bytes.len())..],
                    );
                    at = value;
                    continue;
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    sniffed
}

/// Reads what can be read of an answer whose middle was thrown away.
pub(crate) fn sniff_cut(head: &[u8], tail: &[u8]) -> Sniffed {
    let mut sniffed = sniff(head);
    if sniffed.method.is_none()
        && !sniffed.has_id
        && let Some(id) = last_id(tail)
    {
        sniffed.has_id = true;
        sniffed.id = Some(id);
    }
    sniffed
}

/// Refuses what is nested too deep and what holds half a surrogate pair; both pass unseen where values stay raw.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => {
                depth += 1;
                if depth > DEPTH {
                    return Err(format!("nested more than {DEPTH} levels deep"));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                at = string_check(bytes, at)?;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

fn string_check(bytes: &[u8], open: usize) -> Result<usize, String> {
    let mut at = open + 1;
    while let Some(step) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += step;
        if bytes[at] == b'"' {
            return Ok(at + 1);
        }
        if bytes.get(at + 1) != Some(&b'u') {
            at += 2;
            continue;
        }
        match unit(bytes, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(bytes, at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => return Err("half a surrogate pair in a string".into()),
            _ => at += 2,
        }
    }
    Ok(bytes.len())
}

/// The code unit of the `\uXXXX` at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6).filter(|escape| escape.starts_with(b"\\u"))?;
    u16::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
}

/// The place behind the string that opens at `open`.
fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(step) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += step;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

fn text(quoted: &[u8]) -> Option<String> {
    serde_json::from_slice(quoted).ok()
}

fn note(sniffed: &mut Sniffed, key: Option<&str>, value: &[u8]) {
    match key {
        Some("method") => {
            let quoted = value.first() == Some(&b'"');
            sniffed.method = Some(
                quoted
                    .then(|| text(&value[..string_end(value, 0)]))
                    .flatten()
                    .unwrap_or_default(),
            );
        }
        Some("id") if !sniffed.has_id => {
            sniffed.has_id = true;
            sniffed.id = id(value).map(|(id, _)| id);
        }
        Some("result") => sniffed.has_result = true,
        Some("error") => sniffed.has_error = true,
        Some("jsonrpc") => sniffed.has_jsonrpc = true,
        _ => {}
    }
}

/// The id that `value` begins with, and its length.
fn id(value: &[u8]) -> Option<(RequestId, usize)> {
    if value.first() == Some(&b'"') {
        let end = string_end(value, 0);
        return text(&value[..end]).map(|text| (RequestId::Text(text), end));
    }
    let end = value
        .iter()
        .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
    let end = end.unwrap_or(value.len());
    let written = std::str::from_utf8(&value[..end]).ok()?;
    if let Ok(number) = written.parse::<i64>() {
        return Some((RequestId::Number(number), end));
    }
    let number = written.parse::<f64>().ok()?;
    let whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
    #[allow(clippy::cast_possible_truncation)]
    whole.then_some((RequestId::Number(number as i64), end))
}

/// The id that stands last in an object whose end is `tail`, with nothing but `jsonrpc` behind it.
fn last_id(tail: &[u8]) -> Option<RequestId> {
    let key = memchr::memmem::rfind(tail, b"\"id\"")?;
    let colon = skip_space(tail, key + 4);
    if tail.get(colon) != Some(&b':') {
        return None;
    }
    let value = skip_space(tail, colon + 1);
    let (id, length) = id(&tail[value..])?;
    let rest: Vec<u8> = tail[value + length..]
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    matches!(&rest[..], b"}" | b",\"jsonrpc\":\"2.0\"}").then_some(id)
}
