//! A script: what a fake server does, as data. Built in Rust by the suites, stored as JSON, played by `fake-server`.
//!
//! Rules are tried in order and the first that fits plays its actions; what no rule takes is answered by the era's defaults.
//! Texts are templates, see [`crate::template`].

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

/// Which era's defaults answer what no rule takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// `server/discover` is answered, `initialize` is refused with -32022.
    Modern,
    /// `server/discover` is answered with -32601, `initialize` with the first of `versions`.
    Legacy,
    /// No defaults: what no rule takes is never answered.
    None,
}

/// Everything a fake server does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Whose defaults hold.
    pub era: Era,
    /// Modern: the versions supported. Legacy: the first is the answer to `initialize`.
    pub versions: Vec<String>,
    /// Refuse modern requests that lack a key of `_meta` with -32602.
    #[serde(default)]
    pub validate: bool,
    /// Items of the lists, as they go on the wire.
    #[serde(default)]
    pub tools: Vec<Value>,
    /// Prompts.
    #[serde(default)]
    pub prompts: Vec<Value>,
    /// Resources.
    #[serde(default)]
    pub resources: Vec<Value>,
    /// The capabilities told by the defaults; tools, prompts and resources where absent.
    #[serde(default)]
    pub capabilities: Option<Value>,
    /// Played before anything is read.
    #[serde(default)]
    pub start: Vec<Action>,
    /// Tried in order.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Played when stdin ends; the process then exits with 0, unless the last action keeps it.
    #[serde(default)]
    pub at_eof: Vec<Action>,
    /// Log SIGTERM, SIGINT and SIGHUP and go on.
    #[serde(default)]
    pub ignore_term: bool,
}

/// When to play which actions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The method, `*` for any request or notification, `response` for answers to our own requests.
    pub method: String,
    /// `params.name` or `params.uri`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether `params.inputResponses` stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_responses: Option<bool>,
    /// Whether `params.requestState` stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has_state: Option<bool>,
    /// `params.requestState` has exactly this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The raw frame holds this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contains: Option<String>,
    /// First occurrence (of frames that fit the rest of the rule, counted from 1, in this process) that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Last occurrence that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// Only in the n-th process that was started on this log, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<u64>,
    /// Play beside what follows, so that waiting here holds up nobody.
    #[serde(default)]
    pub background: bool,
    /// What to do, in order.
    pub actions: Vec<Action>,
}

/// One thing a fake server does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Answer the request with this result.
    Result(Box<RawValue>),
    /// Answer the request with this error object.
    Error(Box<RawValue>),
    /// Write this text and a line feed.
    Line(String),
    /// Write these bytes and nothing after them.
    Bytes(Vec<Piece>),
    /// Send a request of our own, or any message: the JSON-RPC envelope is the script's business.
    Send(Box<RawValue>),
    /// Wait for so many milliseconds.
    Wait(u64),
    /// Wait for the answer to our request with this raw id, at most so many milliseconds; the log says whether it came.
    AwaitResponse(String, u64),
    /// Write this line to stderr.
    Stderr(String),
    /// Read nothing more from stdin.
    StopReading,
    /// Close stdout and live on.
    CloseStdout,
    /// Exit with this code.
    Exit(i32),
    /// Die of SIGABRT.
    Abort,
    /// Start `sleep` for so many seconds: it is of our group and holds stdin, stdout and stderr open.
    Grandchild(u64),
    /// Do nothing for ever: in `at_eof` and `start` the process stays, elsewhere nothing more is handled (reading goes on).
    Hang,
    /// Write an event into the log.
    Note(String),
}

/// A piece of raw bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// A text, filled as a template.
    Text(String),
    /// Bytes that are not UTF-8.
    Base64(String),
    /// A text so many times over, not filled: floods and deep nesting without a big script.
    Repeat(String, u64),
}

impl Script {
    /// A server of 2026-07-28 only.
    pub fn modern() -> Self {
        Self::of(Era::Modern, "2026-07-28")
    }

    /// A server of this older version.
    pub fn legacy(version: &str) -> Self {
        Self::of(Era::Legacy, version)
    }

    /// A server that only does what its rules say.
    pub fn bare() -> Self {
        Self::of(Era::None, "2026-07-28")
    }

    fn of(era: Era, version: &str) -> Self {
        Self {
            era,
            versions: vec![version.to_owned()],
            validate: era == Era::Modern,
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            capabilities: None,
            start: Vec::new(),
            rules: Vec::new(),
            at_eof: Vec::new(),
            ignore_term: false,
        }
    }

    /// Names other versions.
    pub fn versions(mut self, versions: &[&str]) -> Self {
        self.versions = versions.iter().map(|&version| version.to_owned()).collect();
        self
    }

    /// Takes requests without `_meta` too.
    pub fn lenient(mut self) -> Self {
        self.validate = false;
        self
    }

    /// Lists a tool that takes any object.
    pub fn tool(self, name: &str) -> Self {
        self.tool_json(
            json!({"name": name, "description": format!("The tool {name}."), "inputSchema": {"type": "object"}}),
        )
    }

    /// Lists a tool as it is given, well formed or not.
    pub fn tool_json(mut self, tool: Value) -> Self {
        self.tools.push(tool);
        self
    }

    /// Lists a prompt without arguments.
    pub fn prompt(mut self, name: &str) -> Self {
        self.prompts.push(json!({"name": name}));
        self
    }

    /// Lists a text resource.
    pub fn resource(mut self, uri: &str) -> Self {
        self.resources
            .push(json!({"name": uri, "uri": uri, "mimeType": "text/plain"}));
        self
    }

    /// Tells other capabilities.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = Some(capabilities);
        self
    }

    /// Plays actions before anything is read.
    pub fn at_start(mut self, actions: impl IntoIterator<Item = Action>) -> Self {
        self.start.extend(actions);
        self
    }

    /// Plays actions when stdin ends.
    pub fn at_eof(mut self, actions: impl IntoIterator<Item = Action>) -> Self {
        self.at_eof.extend(actions);
        self
    }

    /// Survives SIGTERM.
    pub fn ignore_term(mut self) -> Self {
        self.ignore_term = true;
        self
    }

    /// Plays actions at each frame of this method.
    pub fn on(self, method: &str, actions: impl IntoIterator<Item = Action>) -> Self {
        self.rule(Rule::on(method).does(actions))
    }

    /// Adds a rule.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Lists a tool that asks for roots at its first round, with `state` where given, and says `done` at the second.
    pub fn asks_roots(self, name: &str, state: Option<&str>) -> Self {
        let ask = act::ask(json!({"roots": {"method": "roots/list"}}), state);
        self.tool(name)
            .rule(Rule::on("tools/call").name(name).fresh().does([ask]))
            .rule(Rule::on("tools/call").name(name).answered().does([act::text("done")]))
    }
}

impl Rule {
    /// A rule for this method that does nothing yet.
    pub fn on(method: &str) -> Self {
        Self {
            method: method.to_owned(),
            name: None,
            input_responses: None,
            has_state: None,
            state: None,
            contains: None,
            from: None,
            to: None,
            process: None,
            background: false,
            actions: Vec::new(),
        }
    }

    /// Only this tool, prompt or resource.
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Only the n-th that fits the rest, from 1.
    pub fn nth(self, n: u64) -> Self {
        self.from(n).to(n)
    }

    /// Only from the n-th on.
    pub fn from(mut self, n: u64) -> Self {
        self.from = Some(n);
        self
    }

    /// Only up to the n-th.
    pub fn to(mut self, n: u64) -> Self {
        self.to = Some(n);
        self
    }

    /// Only in the n-th process.
    pub fn process(mut self, n: u64) -> Self {
        self.process = Some(n);
        self
    }

    /// Only first rounds: neither `inputResponses` nor `requestState`.
    pub fn fresh(mut self) -> Self {
        (self.input_responses, self.has_state) = (Some(false), Some(false));
        self
    }

    /// Only rounds with `inputResponses`.
    pub fn answered(mut self) -> Self {
        self.input_responses = Some(true);
        self
    }

    /// Only rounds without `inputResponses`.
    pub fn unanswered(mut self) -> Self {
        self.input_responses = Some(false);
        self
    }

    /// Only rounds with (or without) a `requestState`.
    pub fn has_state(mut self, has: bool) -> Self {
        self.has_state = Some(has);
        self
    }

    /// Only rounds with exactly this `requestState`.
    pub fn state(mut self, state: &str) -> Self {
        self.state = Some(state.to_owned());
        self
    }

    /// Only frames that hold this text.
    pub fn contains(mut self, text: &str) -> Self {
        self.contains = Some(text.to_owned());
        self
    }

    /// Holds up nobody while it waits.
    pub fn background(mut self) -> Self {
        self.background = true;
        self
    }

    /// Plays these actions.
    pub fn does(mut self, actions: impl IntoIterator<Item = Action>) -> Self {
        self.actions.extend(actions);
        self
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).expect("a JSON value is JSON")
}

/// Short words for actions.
pub mod act {
    use super::{Action, Piece, RawValue, Value, json, raw};

    /// Answers with this result.
    pub fn result(value: Value) -> Action {
        Action::Result(raw(&value))
    }

    /// Answers with a result as this very text (spacing, key order, duplicate keys).
    pub fn result_text(text: &str) -> Action {
        Action::Result(
            RawValue::from_string(text.to_owned()).expect("a result text must be JSON; use `line` for what is not"),
        )
    }

    /// Answers with a complete result of one text block.
    pub fn text(text: &str) -> Action {
        result(json!({"resultType": "complete", "content": [{"type": "text", "text": text}]}))
    }

    /// Answers with an `input_required` result.
    pub fn ask(input_requests: Value, state: Option<&str>) -> Action {
        let mut value = json!({"resultType": "input_required", "inputRequests": input_requests});
        if let Some(state) = state {
            value["requestState"] = state.into();
        }
        result(value)
    }

    /// Answers with an `input_required` result that asks nothing.
    pub fn state_only(state: &str) -> Action {
        result(json!({"resultType": "input_required", "requestState": state}))
    }

    /// Answers with an error.
    pub fn error(code: i64, message: &str) -> Action {
        Action::Error(raw(&json!({"code": code, "message": message})))
    }

    /// Answers with an error that has data.
    pub fn error_data(code: i64, message: &str, data: Value) -> Action {
        Action::Error(raw(&json!({"code": code, "message": message, "data": data})))
    }

    /// Writes a line as it is, well formed or not.
    pub fn line(text: &str) -> Action {
        Action::Line(text.to_owned())
    }

    /// Writes a text with no line feed after it.
    pub fn partial(text: &str) -> Action {
        Action::Bytes(vec![Piece::Text(text.to_owned())])
    }

    /// Writes raw bytes with no line feed after them.
    pub fn bytes(bytes: &[u8]) -> Action {
        Action::Bytes(vec![Piece::Base64(crate::journal::encode(bytes))])
    }

    /// Writes `before`, `text` so many times, `after` and a line feed.
    pub fn repeat(before: &str, text: &str, count: u64, after: &str) -> Action {
        Action::Bytes(vec![
            Piece::Text(before.to_owned()),
            Piece::Repeat(text.to_owned(), count),
            Piece::Text(format!("{after}\n")),
        ])
    }

    /// Answers with a result that is nested so many levels deep.
    pub fn nested(depth: u64) -> Action {
        Action::Bytes(vec![
            Piece::Text(
                r#"{"jsonrpc":"2.0","id":$id,"result":{"resultType":"complete","content":[],"deep":"#.to_owned(),
            ),
            Piece::Repeat("[".to_owned(), depth),
            Piece::Repeat("]".to_owned(), depth),
            Piece::Text("}}\n".to_owned()),
        ])
    }

    /// Answers with a text block of so many bytes.
    pub fn huge(bytes: u64) -> Action {
        repeat(
            r#"{"jsonrpc":"2.0","id":$id,"result":{"resultType":"complete","content":[{"type":"text","text":""#,
            "x",
            bytes,
            r#""}]}}"#,
        )
    }

    /// Sends a request to the client. `id` is what goes on the wire: `json!(5)`, `json!("a")`.
    pub fn request(id: Value, method: &str, params: Option<Value>) -> Action {
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        Action::Send(raw(&message))
    }

    /// Sends a notification to the client.
    pub fn notify(method: &str, params: Option<Value>) -> Action {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        Action::Send(raw(&message))
    }

    /// Waits.
    pub fn wait(ms: u64) -> Action {
        Action::Wait(ms)
    }

    /// Waits for the answer to our request with this raw id (`5`, `"a"` with its quotes).
    pub fn await_response(id: &str, ms: u64) -> Action {
        Action::AwaitResponse(id.to_owned(), ms)
    }

    /// Writes a line to stderr.
    pub fn stderr(text: &str) -> Action {
        Action::Stderr(text.to_owned())
    }
}
