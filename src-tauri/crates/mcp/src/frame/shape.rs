//! From bytes to envelopes, strictly. Finding an id in something broken is `scan`'s business.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

use super::{BadFrame, Envelope, RequestId, scan, sniff};
use crate::error::ErrorObject;
use crate::params::RawMap;

/// Decodes a frame that is not a batch.
pub(super) fn single(bytes: &[u8]) -> Result<Envelope, BadFrame> {
    let text = checked(bytes).map_err(|reason| bad(bytes, reason))?;
    envelope(text).map_err(|reason| bad(bytes, reason))
}

/// Decodes a batch.
pub(super) fn batch(bytes: &[u8]) -> Vec<Result<Envelope, BadFrame>> {
    let nobody = |reason: String| {
        vec![Err(BadFrame {
            reason,
            id: None,
            nameless: false,
        })]
    };
    let text = match checked(bytes) {
        Ok(text) => text,
        Err(reason) => return nobody(reason),
    };
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Err(error) => nobody(format!("not JSON: {error}")),
        Ok(messages) if messages.is_empty() => nobody("an empty batch".into()),
        Ok(messages) => messages
            .iter()
            .map(|raw| envelope(raw.get()).map_err(|reason| bad(raw.get().as_bytes(), reason)))
            .collect(),
    }
}

fn bad(bytes: &[u8], reason: String) -> BadFrame {
    let sniffed = sniff(bytes);
    let answer = sniffed.is_answer();
    let nameless = answer && sniffed.id.is_none();
    BadFrame {
        reason,
        id: sniffed.id.filter(|_| answer),
        nameless,
    }
}

fn checked(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("not UTF-8: {error}"))?;
    scan::check(bytes)?;
    Ok(text)
}

fn envelope(text: &str) -> Result<Envelope, String> {
    let parts: Parts<'_> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            error.to_string()
        } else {
            format!("not JSON: {error}")
        }
    })?;
    match parts.jsonrpc.map(RawValue::get) {
        Some("\"2.0\"") => {}
        Some(other) => return Err(format!("jsonrpc is {}", short(other))),
        None => return Err("jsonrpc is missing".into()),
    }
    match (parts.method, parts.result, parts.error) {
        (Some(method), None, None) => {
            let method = serde_json::from_str(method.get()).map_err(|_| "the method is not a string")?;
            let params = parts.params.map(ToOwned::to_owned);
            Ok(match parts.id {
                None => Envelope::Notification { method, params },
                Some(id) => Envelope::Request {
                    id: strict_id(id)?,
                    method,
                    params,
                },
            })
        }
        (Some(_), _, _) => Err("a method together with a result or an error".into()),
        (None, Some(_), Some(_)) => Err("both a result and an error".into()),
        (None, None, None) => Err("neither a method nor a result nor an error".into()),
        (None, Some(result), None) => {
            let id = strict_id(parts.id.ok_or("the id is missing")?)?;
            if !result.get().starts_with('{') {
                return Err("the result is not an object".into());
            }
            Ok(Envelope::Result {
                id,
                result: result.to_owned(),
            })
        }
        (None, None, Some(error)) => {
            let error = error_object(error)?;
            let id = match parts.id {
                None => None,
                Some(id) if id.get() == "null" => None,
                Some(id) => Some(strict_id(id)?),
            };
            Ok(Envelope::Error { id, error })
        }
    }
}

fn strict_id(raw: &RawValue) -> Result<RequestId, String> {
    if raw.get() == "null" {
        return Err("the id is null".into());
    }
    if let Ok(number) = serde_json::from_str(raw.get()) {
        return Ok(RequestId::Number(number));
    }
    let text = serde_json::from_str(raw.get()).map_err(|_| "id of the wrong type")?;
    Ok(RequestId::Text(text))
}

fn error_object(raw: &RawValue) -> Result<ErrorObject, String> {
    if !raw.get().starts_with('{') {
        return Err("the error is not an object".into());
    }
    let map = RawMap::parse(raw.get()).map_err(|error| format!("the error: {error}"))?;
    let code = map.get("code").ok_or("the error has no code")?;
    let code = serde_json::from_str(code.get()).map_err(|_| format!("the error's code is {}", short(code.get())))?;
    let message = map.get("message").ok_or("the error has no message")?;
    let message = serde_json::from_str(message.get()).map_err(|_| "the error's message is not a string")?;
    Ok(ErrorObject {
        code,
        message,
        data: map.get("data").map(ToOwned::to_owned),
    })
}

/// At most 40 characters of what a server wrote, for a reason.
fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(40).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

#[derive(Default)]
struct Parts<'a> {
    jsonrpc: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Parts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Parts<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON-RPC message")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Parts<'de>, A::Error> {
                let mut parts = Parts::default();
                while let Some(Key(key)) = access.next_key::<Key<'de>>()? {
                    let raw: &'de RawValue = access.next_value()?;
                    let slot = match &*key {
                        "jsonrpc" => &mut parts.jsonrpc,
                        "id" => &mut parts.id,
                        "method" => &mut parts.method,
                        "params" => &mut parts.params,
                        "result" => &mut parts.result,
                        "error" => &mut parts.error,
                        _ => continue,
                    };
                    if slot.replace(raw).is_some() {
                        return Err(de::Error::custom(format_args!("key {key:?} occurs twice")));
                    }
                }
                Ok(parts)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A key, borrowed where it holds no escape.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a key")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
