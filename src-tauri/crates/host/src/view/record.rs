//! The record and the grants as a person reads them.

use serde::{Deserialize, Serialize};

use super::CallRef;

/// One row of the record: what was asked, what was answered, what left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct RecordRow {
    /// Its number; grows by one a row.
    pub seq: u64,
    /// When, in RFC 3339 with milliseconds, UTC.
    pub at: String,
    /// The server's name at that time.
    pub server: String,
    /// First twelve hex digits of its fingerprint.
    pub fingerprint: String,
    /// How it was asked.
    pub channel: String,
    /// The call's method and target, where there was a call.
    pub occasion: Option<String>,
    /// The round, from 1.
    pub round: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// Folders that left.
    pub folders: Vec<DisclosedFolder>,
    /// Folders that were left out though they were allowed, with the reason.
    pub withheld: Vec<WithheldFolder>,
    /// The exact JSON that left; none where nothing left.
    pub sent: Option<String>,
    /// More, in words.
    pub note: Option<String>,
    /// The call that it belongs to, where there was one: the history may still have it.
    pub call: Option<CallRef>,
}

/// What came of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Outcome {
    /// Folders left.
    Shared,
    /// An empty list left.
    SharedNone,
    /// Refused; nothing left about folders.
    Refused,
    /// The server asked for something that was not offered; nothing left.
    NotOffered,
    /// A form was filled and its content left.
    FormSent,
    /// A form was declined or cancelled.
    FormRefused,
    /// A page was opened by the person, and the server was told so.
    LinkOpened,
    /// A page was not opened.
    LinkRefused,
    /// A model's answer, or one by hand in its place, left.
    Sampled,
    /// No answer of a model's left.
    SampleRefused,
    /// The model endpoint was asked.
    ModelAsked,
    /// The call was under way when Gatehouse ended; nothing more was sent.
    Abandoned,
    /// The server stopped waiting before there was an answer.
    Expired,
}

/// Who decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "by")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum DecidedBy {
    /// The person, with a lifetime where the answer is remembered.
    Person {
        /// `session` or `always`, where remembered.
        remembered: Option<Lifetime>,
    },
    /// Grants given before.
    Grants {
        /// Their numbers.
        ids: Vec<u64>,
    },
    /// A rule of Gatehouse's own, such as "silence is no".
    Rule,
}

/// How long a grant lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Lifetime {
    /// Until Gatehouse quits.
    Session,
    /// Until it is revoked.
    Always,
}

/// A folder that left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct DisclosedFolder {
    /// The URI that left.
    pub uri: String,
    /// The name that left.
    pub name: String,
}

/// A folder that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct WithheldFolder {
    /// Its path, made harmless.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// A remembered decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct GrantView {
    /// Its number.
    pub id: u64,
    /// The server's name when it was given.
    pub server: String,
    /// First twelve hex digits of the fingerprint it hangs on.
    pub fingerprint: String,
    /// True when a configured server has this fingerprint now.
    pub in_force: bool,
    /// What it is about.
    pub about: GrantAbout,
    /// The folder; none for every folder, and where it is not about folders.
    pub folder: Option<String>,
    /// The address of the model endpoint that it lets answer, where it does.
    pub endpoint: Option<String>,
    /// Allowed or denied.
    pub allow: bool,
    /// Its lifetime.
    pub lifetime: Lifetime,
    /// When it was given, in RFC 3339.
    pub given_at: String,
}

/// What a remembered decision is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum GrantAbout {
    /// Which folders a server may know.
    Folders,
    /// Whether a model may answer a server.
    Models,
}
