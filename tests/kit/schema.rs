//! The official schemas as an oracle: is every frame that left us valid in its revision?
//!
//! They are read from `../shared/schema` beside the workspace and are no part of the project; where they are missing the
//! oracle says so and the suite skips. Known errata are put right here, in `mend`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::bins::workspace_root;
use crate::log::{Entry, Log};

/// A revision that there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// 2026-07-28.
    Modern,
    /// 2025-11-25.
    Autumn2025,
    /// 2025-06-18.
    Summer2025,
}

/// Compiled definitions of the client's frames.
#[derive(Debug)]
pub struct Oracle {
    validators: BTreeMap<(Revision, &'static str), Validator>,
}

const MODERN: [&str; 10] = [
    "server/discover",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "subscriptions/listen",
    "completion/complete",
];
const LEGACY_REQUESTS: [&str; 13] = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "logging/setLevel",
    "completion/complete",
];
const NOTIFICATIONS: [&str; 4] = [
    "notifications/cancelled",
    "notifications/initialized",
    "notifications/progress",
    "notifications/roots/list_changed",
];
const META: [&str; 3] = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
];
const RESULTS: [&str; 3] = ["ListRootsResult", "ElicitResult", "CreateMessageResult"];
/// What our own demo server sends.
const SERVER: [&str; 11] = [
    "DiscoverResult",
    "ListToolsResult",
    "ListPromptsResult",
    "ListResourcesResult",
    "CallToolResult",
    "GetPromptResult",
    "ReadResourceResult",
    "InputRequiredResult",
    "JSONRPCResultResponse",
    "UnsupportedProtocolVersionError",
    "MissingRequiredClientCapabilityError",
];

impl Revision {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Modern, Self::Autumn2025, Self::Summer2025];

    /// As it stands on the wire.
    pub fn version(self) -> &'static str {
        match self {
            Self::Modern => "2026-07-28",
            Self::Autumn2025 => "2025-11-25",
            Self::Summer2025 => "2025-06-18",
        }
    }
}

/// The definition that a method's frame must satisfy.
fn definition(method: &str) -> Option<&'static str> {
    Some(match method {
        "server/discover" => "DiscoverRequest",
        "initialize" => "InitializeRequest",
        "ping" => "PingRequest",
        "tools/list" => "ListToolsRequest",
        "tools/call" => "CallToolRequest",
        "prompts/list" => "ListPromptsRequest",
        "prompts/get" => "GetPromptRequest",
        "resources/list" => "ListResourcesRequest",
        "resources/templates/list" => "ListResourceTemplatesRequest",
        "resources/read" => "ReadResourceRequest",
        "resources/subscribe" => "SubscribeRequest",
        "resources/unsubscribe" => "UnsubscribeRequest",
        "logging/setLevel" => "SetLevelRequest",
        "completion/complete" => "CompleteRequest",
        "subscriptions/listen" => "SubscriptionsListenRequest",
        "notifications/cancelled" => "CancelledNotification",
        "notifications/initialized" => "InitializedNotification",
        "notifications/progress" => "ProgressNotification",
        "notifications/roots/list_changed" => "RootsListChangedNotification",
        _ => return None,
    })
}

impl Oracle {
    /// Loads the schemas; `None`, with a word on stderr, where they are not there.
    pub fn load() -> Option<Self> {
        let Some(dir) = schema_dir().filter(|dir| dir.is_dir()) else {
            eprintln!("skipped: the official schemas are not at ../shared/schema");
            return None;
        };
        let mut validators = BTreeMap::new();
        for revision in Revision::ALL {
            let path = dir.join(format!("schema-{}.json", revision.version()));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut schema: Value = serde_json::from_str(&text).expect("the official schema is JSON");
            mend(&mut schema);
            let defs = if schema.get("$defs").is_some() {
                "$defs"
            } else {
                "definitions"
            };
            let error_response = if revision == Revision::Summer2025 {
                "JSONRPCError"
            } else {
                "JSONRPCErrorResponse"
            };
            let methods = MODERN
                .iter()
                .chain(&LEGACY_REQUESTS)
                .chain(&NOTIFICATIONS)
                .filter_map(|method| definition(method));
            for name in methods.chain(RESULTS).chain(SERVER).chain([
                "JSONRPCRequest",
                "JSONRPCNotification",
                "EmptyResult",
                error_response,
            ]) {
                if schema[defs].get(name).is_none() {
                    continue;
                }
                let one = json!({"$schema": schema["$schema"], "$ref": format!("#/{defs}/{name}"), defs: schema[defs]});
                let validator = jsonschema::options().should_validate_formats(true).build(&one);
                validators.insert(
                    (revision, name),
                    validator.unwrap_or_else(|error| panic!("{name}: {error}")),
                );
            }
        }
        Some(Self { validators })
    }

    /// Checks one frame that we sent. `answers` is the method of the server's request, where the frame is a response.
    pub fn check(&self, revision: Revision, raw: &str, answers: Option<&str>) -> Result<(), String> {
        if raw.contains(['\n', '\r']) {
            return Err("a line break stands inside the frame".into());
        }
        let frame: Value = serde_json::from_str(raw).map_err(|error| format!("not JSON: {error}"))?;
        match frame["method"].as_str() {
            // The probe goes out before the era is known, and is modern whoever reads it.
            Some("server/discover") => self.check_modern("server/discover", &frame),
            Some(method) if revision == Revision::Modern => self.check_modern(method, &frame),
            Some(method) => self.check_legacy(revision, method, &frame),
            None if revision == Revision::Modern => Err("a response was sent on a modern connection".into()),
            None => self.check_response(revision, &frame, answers),
        }
    }

    /// Checks everything that the servers on this log received; the number of frames, or all that is wrong with them.
    pub fn check_all(&self, log: &Log, revision: Revision) -> Result<usize, String> {
        let entries = log.entries();
        let mut asked: BTreeMap<(u32, String), String> = BTreeMap::new();
        let mut ids: BTreeSet<(u32, String)> = BTreeSet::new();
        let mut spoke: BTreeSet<u32> = BTreeSet::new();
        let mut wrong = Vec::new();
        let mut count = 0;
        for entry in entries.iter().filter(|entry| entry.dir == "in" || entry.dir == "out") {
            let frame = entry.frame();
            let key = (entry.pid, frame.id().to_string());
            if entry.dir == "out" {
                spoke.insert(entry.pid);
                if !frame.is_response() && frame.json.get("id").is_some() {
                    asked.insert(key, frame.method().to_owned());
                }
                continue;
            }
            count += 1;
            let answers = asked.get(&key).map(String::as_str);
            // A server that is slow to say its first word is asked in both ways, and its first good answer decides.
            let probes = frame.method() == "initialize" && !spoke.contains(&entry.pid);
            let revision = if probes && revision == Revision::Modern {
                Revision::Autumn2025
            } else {
                revision
            };
            if let Err(why) = utf8(entry).and_then(|()| self.check(revision, &frame.raw, answers)) {
                wrong.push(format!("{why}\n    in {}", cut(&frame.raw)));
            }
            if !frame.is_response() && frame.json.get("id").is_some() && !ids.insert(key) {
                wrong.push(format!("the id was used before\n    in {}", cut(&frame.raw)));
            }
        }
        let failures = || {
            format!(
                "{} of {count} frames are wrong in {}:\n{}",
                wrong.len(),
                revision.version(),
                wrong.join("\n")
            )
        };
        if wrong.is_empty() { Ok(count) } else { Err(failures()) }
    }

    /// The same as an assertion; at least one frame must be there.
    pub fn assert_all(&self, log: &Log, revision: Revision) {
        match self.check_all(log, revision) {
            Ok(count) => assert!(count > 0, "no frame was received at all"),
            Err(failures) => panic!("{failures}"),
        }
    }

    /// Checks one value of a modern server against a definition by name (`CallToolResult`, `JSONRPCErrorResponse`, …).
    pub fn check_server(&self, name: &'static str, value: &Value) -> Result<(), String> {
        self.all(Revision::Modern, &[name], value)
    }

    fn check_modern(&self, method: &str, frame: &Value) -> Result<(), String> {
        if method == "notifications/cancelled" {
            return self.all(
                Revision::Modern,
                &["JSONRPCNotification", "CancelledNotification"],
                frame,
            );
        }
        if !MODERN.contains(&method) {
            return Err(format!("{method} does not exist on a modern connection"));
        }
        let name = definition(method).ok_or("no definition")?;
        self.all(Revision::Modern, &["JSONRPCRequest", name], frame)?;
        let params = &frame["params"];
        for key in META {
            if params["_meta"].get(key).is_none() {
                return Err(format!("params._meta lacks {key}"));
            }
        }
        if params["_meta"][META[0]] != Revision::Modern.version() {
            return Err(format!("params._meta says version {}", params["_meta"][META[0]]));
        }
        if params["_meta"][META[2]]
            .as_object()
            .is_none_or(|known| known.values().any(Value::is_null))
        {
            return Err("a declared capability is null".into());
        }
        for (key, answer) in params["inputResponses"].as_object().into_iter().flatten() {
            let name = match answer {
                Value::Object(members) if members.contains_key("roots") => "ListRootsResult",
                Value::Object(members) if members.contains_key("action") => "ElicitResult",
                Value::Object(members) if members.contains_key("role") => "CreateMessageResult",
                _ => return Err(format!("inputResponses[{key:?}] is no result of any kind")),
            };
            self.all(Revision::Modern, &[name], answer)
                .map_err(|why| format!("inputResponses[{key:?}]: {why}"))?;
        }
        Ok(())
    }

    fn check_legacy(&self, revision: Revision, method: &str, frame: &Value) -> Result<(), String> {
        if META.iter().any(|key| frame["params"]["_meta"].get(key).is_some()) {
            return Err("modern _meta stands in a legacy frame".into());
        }
        if frame["params"].get("inputResponses").is_some() || frame["params"].get("requestState").is_some() {
            return Err("a modern retry stands in a legacy frame".into());
        }
        let envelope = match frame.get("id") {
            Some(_) if LEGACY_REQUESTS.contains(&method) => "JSONRPCRequest",
            None if NOTIFICATIONS.contains(&method) => "JSONRPCNotification",
            Some(_) => return Err(format!("{method} is no request of a client")),
            None => return Err(format!("{method} is no notification of a client")),
        };
        self.all(revision, &[envelope, definition(method).ok_or("no definition")?], frame)
    }

    fn check_response(&self, revision: Revision, frame: &Value, answers: Option<&str>) -> Result<(), String> {
        let answers = answers.ok_or("a response to a request that the server never sent")?;
        if frame["jsonrpc"] != "2.0" || frame["id"].is_null() {
            return Err("a response without jsonrpc or id".into());
        }
        match (frame.get("result"), frame.get("error")) {
            (Some(_), Some(_)) | (None, None) => Err("a response has either a result or an error".into()),
            (None, Some(_)) => {
                let name = if revision == Revision::Summer2025 {
                    "JSONRPCError"
                } else {
                    "JSONRPCErrorResponse"
                };
                self.all(revision, &[name], frame)
            }
            (Some(result), None) => {
                let name = match answers {
                    "roots/list" => "ListRootsResult",
                    "elicitation/create" => "ElicitResult",
                    "sampling/createMessage" => "CreateMessageResult",
                    "ping" => "EmptyResult",
                    _ => return Err(format!("{answers} was answered with a result")),
                };
                self.all(revision, &[name], result)
            }
        }
    }

    fn all(&self, revision: Revision, names: &[&'static str], value: &Value) -> Result<(), String> {
        for name in names {
            let validator = self.validators.get(&(revision, name));
            let validator = validator.ok_or_else(|| format!("{} has no {name}", revision.version()))?;
            let wrong: Vec<String> = validator
                .iter_errors(value)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            if !wrong.is_empty() {
                return Err(format!("no valid {name}: {}", wrong.join("; ")));
            }
        }
        Ok(())
    }
}

/// The folder of the schemas, where it is.
pub fn schema_dir() -> Option<PathBuf> {
    Some(workspace_root().parent()?.join("shared/schema"))
}

/// Puts the known errata right: the content of a form may hold numbers with a fraction, and a NumberSchema may bound them.
fn mend(schema: &mut Value) {
    fn widen(value: &mut Value) {
        match value {
            Value::Array(items) if items.contains(&json!("integer")) => items.push("number".into()),
            Value::Array(items) => items.iter_mut().for_each(widen),
            Value::Object(members) => members.values_mut().for_each(widen),
            _ => {}
        }
    }
    for defs in ["$defs", "definitions"] {
        let Some(defs) = schema.get_mut(defs) else { continue };
        widen(&mut defs["ElicitResult"]["properties"]["content"]);
        for bound in ["minimum", "maximum", "default"] {
            if let Some(bound) = defs["NumberSchema"]["properties"].get_mut(bound) {
                bound["type"] = "number".into();
            }
        }
    }
}

fn utf8(entry: &Entry) -> Result<(), String> {
    std::str::from_utf8(&entry.bytes)
        .map(|_| ())
        .map_err(|error| format!("not UTF-8: {error}"))
}

fn cut(raw: &str) -> String {
    raw.chars().take(600).collect()
}
