//! The history of calls as a person reads it, and the number by which a row of the record knows its call.

use serde::{Deserialize, Serialize};

use super::{RecordRow, ResultView};

/// A call of any run, as the record and the history name it: calls are counted anew in each run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct CallRef {
    /// The run; never used twice.
    pub run: u64,
    /// The call's number in that run.
    pub number: u64,
}

/// How a call of the history ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Ending {
    /// With a result.
    Done,
    /// With an error of the tool's.
    ToolError,
    /// With a refusal; nothing was sent.
    Declined,
    /// With an error.
    Failed,
    /// By the person.
    Cancelled,
    /// Gatehouse ended before it did.
    Abandoned,
}

/// One line of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct HistoryRow {
    /// Its number in the history; grows by one a call, never used twice.
    pub seq: u64,
    /// The number by which the record knows it.
    pub call: CallRef,
    /// When it began, in RFC 3339 with milliseconds, UTC.
    pub at: String,
    /// How long it took in milliseconds, the person's time included; none where that is not known.
    pub took_ms: Option<u64>,
    /// The server's name at that time.
    pub server: String,
    /// First twelve hex digits of its fingerprint.
    pub fingerprint: String,
    /// `tools/call`, `prompts/get` or `resources/read`.
    pub method: String,
    /// The tool, prompt or resource, exactly as it was called. Show `label` instead.
    pub target: String,
    /// The same, made harmless.
    pub label: String,
    /// How it ended.
    pub ending: Ending,
    /// More on how it ended, in words, made harmless.
    pub message: Option<String>,
    /// How many rounds it took.
    pub rounds: u64,
}

/// One call of the history, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct HistoryCall {
    /// Its line.
    pub row: HistoryRow,
    /// The arguments as JSON text, exactly as they were sent; none where there were none. They are the person's own words.
    pub args: Option<KeptText>,
    /// The rounds in which something was asked or answered.
    pub rounds: Vec<HistoryRound>,
    /// What came back; none where it did not end with a result.
    pub result: Option<HistoryResult>,
}

/// A text that is kept up to a bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct KeptText {
    /// What is kept of it.
    pub text: String,
    /// How many bytes it had; more than `text` has where it was cut.
    pub bytes: u64,
    /// True where only its beginning is kept.
    pub cut: bool,
}

/// One round of a call: what the server asked, and the rows of the record that say what it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct HistoryRound {
    /// Its number, from 1.
    pub round: u64,
    /// What was asked, in the server's order.
    pub asked: Vec<AskedView>,
    /// What was answered, and who decided it.
    pub answers: Vec<RecordRow>,
}

/// One request of a server's within a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct AskedView {
    /// Its key, made harmless.
    pub key: String,
    /// Its method, made harmless.
    pub method: String,
    /// Its params as JSON text, made harmless and cut at a stated length; none where it had none.
    pub params: Option<String>,
}

/// The result of a call of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kept")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum HistoryResult {
    /// It is there as it came.
    Whole {
        /// The result.
        result: ResultView,
    },
    /// It was too large; its beginning is there.
    Cut {
        /// The beginning of its JSON text, made harmless.
        text: String,
        /// How many bytes it had.
        bytes: u64,
    },
}
