//! `echo-server`: the fastest stdio server that is still one, for benches. Both eras; tools `echo` and `ask_roots` (two rounds).
//!
//! It trusts its client and checks nothing. Nothing is logged.

use std::io::{self, BufRead, Write};

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a str>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<&'a str>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "inputResponses")]
    input_responses: Option<&'a RawValue>,
}

const TOOLS: &str = r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"echo","description":"Answers with its arguments.","inputSchema":{"type":"object"}},{"name":"ask_roots","description":"Asks for roots, then answers.","inputSchema":{"type":"object"}}]}"#;
const DISCOVER: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}"#;
const INITIALIZE: &str =
    r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}"#;
const ASK: &str =
    r#"{"resultType":"input_required","inputRequests":{"roots":{"method":"roots/list"}},"requestState":"s"}"#;
const DONE: &str = r#"{"resultType":"complete","content":[{"type":"text","text":"done"}]}"#;

fn main() -> io::Result<()> {
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let (mut input, mut output) = (io::BufReader::with_capacity(256 * 1024, stdin.lock()), stdout.lock());
    let (mut line, mut reply) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let Ok(request) = serde_json::from_slice::<Request>(&line) else {
            continue;
        };
        let (Some(id), Some(method)) = (request.id, request.method) else {
            continue;
        };
        reply.clear();
        write!(reply, r#"{{"jsonrpc":"2.0","id":{},"#, id.get())?;
        match (method, request.params) {
            ("server/discover", _) => write!(reply, r#""result":{DISCOVER}"#)?,
            ("initialize", _) => write!(reply, r#""result":{INITIALIZE}"#)?,
            ("tools/list", _) => write!(reply, r#""result":{TOOLS}"#)?,
            ("ping", _) => write!(reply, r#""result":{{}}"#)?,
            (
                "tools/call",
                Some(Params {
                    name: Some("ask_roots"),
                    input_responses: None,
                    ..
                }),
            ) => write!(reply, r#""result":{ASK}"#)?,
            (
                "tools/call",
                Some(Params {
                    name: Some("ask_roots"),
                    ..
                }),
            ) => write!(reply, r#""result":{DONE}"#)?,
            ("tools/call", Some(params)) => {
                let arguments = params.arguments.map_or("{}", RawValue::get);
                write!(
                    reply,
                    r#""result":{{"resultType":"complete","content":[{{"type":"text","text":"ok"}}],"structuredContent":{arguments}}}"#
                )?;
            }
            _ => write!(reply, r#""error":{{"code":-32601,"message":"method not found"}}"#)?,
        }
        reply.extend_from_slice(b"}\n");
        output.write_all(&reply)?;
        output.flush()?;
    }
}
