//! Frames as they stood on the wire, line by line and one by one.

use serde::{Deserialize, Serialize};

/// How far the traffic of a server has come; its frames are pulled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct TrafficView {
    /// The server.
    pub server: String,
    /// Number of the oldest frame that is kept; one after the newest where none is.
    pub oldest: u64,
    /// Number of the newest frame; 0 for none.
    pub newest: u64,
}

/// Which frames are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FrameFilter {
    /// What stands in it, capitals or not; empty for all.
    pub words: String,
    /// True for those to the server, false for those from it, none for both.
    pub sent: Option<bool>,
}

/// One frame in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FrameLine {
    /// Its number.
    pub seq: u64,
    /// When it passed, in milliseconds since 1970.
    pub at: u64,
    /// True when it went to the server.
    pub sent: bool,
    /// What it seems to be.
    pub kind: FrameKind,
    /// Its method; of an answer, the method that it answers, where that is still kept. Made harmless.
    pub method: Option<String>,
    /// Its id, made harmless.
    pub id: Option<String>,
    /// Its length in bytes.
    pub bytes: u64,
}

/// What a frame seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum FrameKind {
    /// A request.
    Request,
    /// A notification.
    Notification,
    /// A good answer.
    Result,
    /// An error.
    Error,
    /// No JSON-RPC message.
    Unreadable,
}

/// One frame whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FrameView {
    /// What stands in its line.
    pub line: FrameLine,
    /// Its text, made harmless; the beginning where it is long.
    pub text: String,
    /// Bytes of it that are kept and can be saved.
    pub kept: u64,
    /// Bytes of it that the text shows.
    pub shown: u64,
    /// False where it holds bytes that are no UTF-8.
    pub readable: bool,
}
