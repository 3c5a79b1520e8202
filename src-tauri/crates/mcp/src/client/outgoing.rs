//! The bytes of what we send: one buffer a message, one line, nothing parsed that need not be. When it is sent is the link's business.

use bytes::Bytes;
use memchr::memchr2_iter;
use serde::Serialize;

use super::declared::{Dialect, Said};
use super::{ClientInfo, Declared};
use crate::era::version::MODERN;
use crate::frame::RequestId;
use crate::params::{Params, Raw, RawMap};

/// The part of `_meta` that stays the same for a connection, up to the capabilities.
pub(super) struct Meta(Vec<u8>);

/// What `_meta` of a request is.
pub(super) enum MetaOf<'a> {
    /// Ours, in place of any other.
    Modern(&'a Meta, Said),
    /// What the params hold.
    Legacy,
}

impl Meta {
    pub(super) fn new(info: &ClientInfo) -> Self {
        let mut text = Vec::new();
        text.extend_from_slice(b"\"io.modelcontextprotocol/protocolVersion\":");
        push(&mut text, &MODERN);
        text.extend_from_slice(b",\"io.modelcontextprotocol/clientInfo\":");
        push(&mut text, &implementation(info));
        text.extend_from_slice(b",\"io.modelcontextprotocol/clientCapabilities\":");
        Self(text)
    }
}

/// A request's line.
pub(super) fn request(id: i64, method: &str, params: &Params, meta: &MetaOf<'_>, progress: bool) -> Bytes {
    let size: usize = params.iter().map(|(key, raw)| key.len() + raw.get().len() + 8).sum();
    let mut line = Vec::with_capacity(size + method.len() + 480);
    line.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    push(&mut line, &id);
    line.extend_from_slice(b",\"method\":");
    push(&mut line, &method);
    line.extend_from_slice(b",\"params\":{");
    let mut first = true;
    let own = matches!(meta, MetaOf::Modern(..)) || progress;
    for (key, raw) in params.iter().filter(|(key, _)| !(own && *key == "_meta")) {
        comma(&mut line, &mut first);
        push(&mut line, &key);
        line.push(b':');
        line.extend_from_slice(raw.get().as_bytes());
    }
    match meta {
        MetaOf::Modern(Meta(fixed), said) => {
            comma(&mut line, &mut first);
            line.extend_from_slice(b"\"_meta\":{");
            if progress {
                line.extend_from_slice(b"\"progressToken\":");
                push(&mut line, &id);
                line.push(b',');
            }
            if let Some(level) = said.log {
                line.extend_from_slice(b"\"io.modelcontextprotocol/logLevel\":");
                push(&mut line, &level.word());
                line.push(b',');
            }
            line.extend_from_slice(fixed);
            said.declared.write(Dialect::Modern, &mut line);
            line.push(b'}');
        }
        MetaOf::Legacy if progress => {
            comma(&mut line, &mut first);
            let given = params
                .get("_meta")
                .and_then(|raw| RawMap::parse(raw.get()).ok())
                .unwrap_or_default();
            line.extend_from_slice(b"\"_meta\":");
            push(&mut line, &given.with("progressToken", &id));
        }
        MetaOf::Legacy => {}
    }
    line.extend_from_slice(b"}}");
    finished(line)
}

/// A notification's line.
pub(super) fn notification(method: &str, params: Option<&Params>) -> Bytes {
    #[derive(Serialize)]
    struct Notification<'a> {
        jsonrpc: &'a str,
        method: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        params: Option<&'a Params>,
    }
    let mut line = Vec::new();
    push(
        &mut line,
        &Notification {
            jsonrpc: "2.0",
            method,
            params,
        },
    );
    finished(line)
}

/// The line that cancels a request.
pub(super) fn cancelled(id: i64) -> Bytes {
    let params = Params::new()
        .with("requestId", &id)
        .with("reason", &"the answer is no longer needed");
    notification("notifications/cancelled", Some(&params))
}

/// The line of an answer to a server.
pub(super) fn answer(id: &RequestId, answer: Result<&Raw, (i64, &str)>) -> Bytes {
    #[derive(Serialize)]
    struct Failure<'a> {
        code: i64,
        message: &'a str,
    }
    let mut line = Vec::with_capacity(128);
    line.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    push(&mut line, id);
    match answer {
        Ok(result) => {
            line.extend_from_slice(b",\"result\":");
            line.extend_from_slice(result.get().as_bytes());
        }
        Err((code, message)) => {
            line.extend_from_slice(b",\"error\":");
            push(&mut line, &Failure { code, message });
        }
    }
    line.push(b'}');
    finished(line)
}

/// The params of `initialize`.
pub(crate) fn initialize(version: &str, info: &ClientInfo, declared: Declared) -> Params {
    let mut capabilities = Vec::new();
    declared.write(Dialect::of(version), &mut capabilities);
    let capabilities: Raw = serde_json::from_slice(&capabilities).expect("capabilities are JSON");
    Params::new()
        .with("protocolVersion", &version)
        .with_raw("capabilities", capabilities)
        .with("clientInfo", &implementation(info))
}

fn implementation(info: &ClientInfo) -> RawMap {
    let map = RawMap::new().with("name", &info.name);
    let map = match &info.title {
        Some(title) => map.with("title", title),
        None => map,
    };
    map.with("version", &info.version)
}

fn push(line: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(line, value).expect("protocol values serialise into memory");
}

fn comma(line: &mut Vec<u8>, first: &mut bool) {
    if !std::mem::take(first) {
        line.push(b',');
    }
}

/// Raw values may hold line breaks between their tokens, never inside a string; a space means the same there.
fn finished(mut line: Vec<u8>) -> Bytes {
    let breaks: Vec<usize> = memchr2_iter(b'\n', b'\r', &line).collect();
    for at in breaks {
        line[at] = b' ';
    }
    line.push(b'\n');
    Bytes::from(line)
}
