//! What goes back: results of each kind, errors with the codes of the specification, and their text on the wire.

use serde_json::{Map, Value, json};

use super::VERSION;

/// A request that could be answered.
#[derive(Debug)]
pub enum Outcome {
    /// A result that may be cached: lists, `server/discover`, `resources/read`.
    Listing(Value),
    /// A result that may not: of a tool or a prompt.
    Done(Value),
    /// The next round: questions by key, and the state to bring back.
    Question(Map<String, Value>, Option<String>),
}

/// A request that could not.
#[derive(Debug)]
pub struct Failure {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl Outcome {
    /// A tool's result of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Done(json!({"content": [{"type": "text", "text": text.into()}]}))
    }

    /// A tool's result of one text, with the same as data.
    pub fn structured(text: impl Into<String>, data: Value) -> Self {
        Self::Done(json!({"content": [{"type": "text", "text": text.into()}], "structuredContent": data}))
    }
}

impl Failure {
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(-32602, message)
    }

    pub fn unknown_method(method: &str) -> Self {
        Self::new(-32601, format!("unknown method {method:?}"))
    }

    pub fn version(message: impl Into<String>, requested: &str) -> Self {
        let data = json!({"supported": [VERSION], "requested": requested});
        Self {
            data: Some(data),
            ..Self::new(-32022, message)
        }
    }

    pub fn capabilities(missing: Map<String, Value>) -> Self {
        let names: Vec<&str> = missing.keys().map(String::as_str).collect();
        let message = format!("this needs a client that declares: {}", names.join(", "));
        Self {
            data: Some(json!({"requiredCapabilities": missing})),
            ..Self::new(-32021, message)
        }
    }
}

/// The reply as one line. An error without an id (the line could not be read) carries none, as the schema wants it.
pub fn write(id: Value, outcome: Result<Outcome, Failure>) -> String {
    let mut frame = json!({"jsonrpc": "2.0"});
    if !id.is_null() {
        frame["id"] = id;
    }
    match outcome {
        Ok(Outcome::Listing(mut result)) => {
            result["ttlMs"] = 0.into();
            result["cacheScope"] = "private".into();
            frame["result"] = finish(result, "complete");
        }
        Ok(Outcome::Done(result)) => frame["result"] = finish(result, "complete"),
        Ok(Outcome::Question(questions, state)) => {
            let mut result = json!({"inputRequests": questions});
            if let Some(state) = state {
                result["requestState"] = state.into();
            }
            frame["result"] = finish(result, "input_required");
        }
        Err(failure) => {
            frame["error"] = json!({"code": failure.code, "message": failure.message});
            if let Some(data) = failure.data {
                frame["error"]["data"] = data;
            }
        }
    }
    format!("{frame}\n")
}

fn finish(mut result: Value, kind: &str) -> Value {
    result["resultType"] = kind.into();
    let info = json!({"name": "gatehouse-demo", "title": "Gatehouse demo", "version": env!("CARGO_PKG_VERSION")});
    result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": info});
    result
}
