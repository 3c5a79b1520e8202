//! A link as it is shown before it is opened.

use serde::Serialize;

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct LinkView {
    /// The whole address in the form in which it would be opened.
    pub url: String,
    /// The host as the network sees it.
    pub host: String,
    /// The host as it would be displayed, where that differs: letters that look like others stand in it.
    pub display_host: Option<String>,
    /// What to look at twice.
    pub warnings: Vec<LinkWarning>,
}

/// What to look at twice in a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum LinkWarning {
    /// It is not encrypted (http).
    NotEncrypted,
    /// A name or password stands before the host, which can look like another host.
    UserInfo,
    /// The host has letters outside ASCII, which can look like others.
    LookAlike,
    /// The host is a bare address, not a name.
    BareAddress,
    /// It leads to this machine.
    ThisMachine,
    /// It has a port of its own.
    Port,
}
