//! Reads one line as a request, and what every modern request must carry. Not here: what the methods mean.

use serde_json::{Map, Value, json};

use super::VERSION;
use super::reply::{Failure, Outcome};

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// What a line turned out to be.
pub enum Incoming {
    Request(Request),
    /// Not a request, with the id where one could be read.
    Broken(Option<Value>, Failure),
    /// A notification, or a response to a request that this server never sends.
    NothingToAnswer,
}

/// One request, not checked yet.
pub struct Request {
    pub id: Value,
    pub method: String,
    pub params: Map<String, Value>,
}

/// Reads a line.
pub fn read(line: &[u8]) -> Incoming {
    let frame = match serde_json::from_slice::<Value>(line) {
        Ok(frame) => frame,
        Err(error) => return Incoming::Broken(None, Failure::new(-32700, format!("not JSON: {error}"))),
    };
    let Value::Object(mut frame) = frame else {
        return Incoming::Broken(None, Failure::new(-32600, "a message must be one JSON object"));
    };
    let id = frame.remove("id");
    let valid_id = id.clone().filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    let method = match (frame.remove("method"), &id) {
        (Some(Value::String(method)), Some(_)) => method,
        (Some(_), None) => return Incoming::NothingToAnswer,
        (None, _) if frame.contains_key("result") || frame.contains_key("error") => return Incoming::NothingToAnswer,
        _ => {
            return Incoming::Broken(
                valid_id,
                Failure::new(-32600, "a request needs a method that is a text"),
            );
        }
    };
    let Some(id) = valid_id else {
        return Incoming::Broken(None, Failure::new(-32600, "the id must be a text or a whole number"));
    };
    if frame.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Incoming::Broken(Some(id), Failure::new(-32600, "jsonrpc must be \"2.0\""));
    }
    let params = match frame.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Incoming::Broken(Some(id), Failure::invalid("params must be an object")),
    };
    Incoming::Request(Request { id, method, params })
}

impl Request {
    /// Refuses older clients, other versions and requests without their `_meta`.
    pub fn checked(&self) -> Result<(), Failure> {
        if self.method == "initialize" {
            let requested = self
                .params
                .get("protocolVersion")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let message = format!("this server has no initialize handshake: it speaks revision {VERSION} only");
            return Err(Failure::version(message, requested));
        }
        let meta = self.params.get("_meta").and_then(Value::as_object);
        let meta = meta.ok_or_else(|| Failure::invalid("params._meta is missing"))?;
        let version = meta.get(META_VERSION).and_then(Value::as_str);
        let version = version.ok_or_else(|| Failure::invalid(format!("params._meta lacks {META_VERSION}")))?;
        if version != VERSION {
            return Err(Failure::version(
                format!("this server speaks revision {VERSION} only"),
                version,
            ));
        }
        let capabilities = meta
            .get(META_CAPABILITIES)
            .filter(|capabilities| capabilities.is_object());
        capabilities
            .map(|_| ())
            .ok_or_else(|| Failure::invalid(format!("params._meta lacks {META_CAPABILITIES}")))
    }

    /// A parameter that must be a text.
    pub fn text(&self, name: &str) -> Result<&str, Failure> {
        let text = self.params.get(name).and_then(Value::as_str);
        text.ok_or_else(|| Failure::invalid(format!("params.{name} must be a text")))
    }

    /// An argument of the call, where it stands there.
    pub fn argument(&self, name: &str) -> Option<&Value> {
        self.params.get("arguments")?.get(name)
    }

    /// The client's answer to the question under this key, where it sent one.
    pub fn answer(&self, key: &str) -> Option<&Value> {
        self.params.get("inputResponses")?.get(key)
    }

    /// The state of the round before, where one came back.
    pub fn state(&self) -> Result<Option<&str>, Failure> {
        match self.params.get("requestState") {
            None => Ok(None),
            Some(Value::String(state)) => Ok(Some(state)),
            Some(_) => Err(Failure::invalid("requestState must be a text")),
        }
    }

    /// Opens a round with these questions, each a key and an input request, if the client declared what they need.
    pub fn ask(&self, questions: &[(&str, Value)], state: Option<String>) -> Result<Outcome, Failure> {
        let mut missing = Map::new();
        for (_, question) in questions {
            let capability = if question["method"] == "roots/list" {
                "roots"
            } else {
                "elicitation"
            };
            if !self.declares(capability) {
                missing.insert(capability.to_owned(), json!({}));
            }
        }
        if missing.is_empty() {
            let questions = questions
                .iter()
                .map(|(key, question)| ((*key).to_owned(), question.clone()))
                .collect();
            Ok(Outcome::Question(questions, state))
        } else {
            Err(Failure::capabilities(missing))
        }
    }

    /// For forms, an empty declaration and `form` both count; `url` alone does not.
    fn declares(&self, capability: &str) -> bool {
        let declared = self
            .params
            .get("_meta")
            .and_then(|meta| meta.get(META_CAPABILITIES)?.get(capability)?.as_object());
        declared.is_some_and(|modes| capability != "elicitation" || modes.is_empty() || modes.contains_key("form"))
    }
}
