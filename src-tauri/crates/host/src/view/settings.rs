//! What a person has set, of each server and of the app, as it stands on the screen and in a script. What the values do
//! is decided where they are used; how they are changed is `settings`' business.

use serde::Serialize;

/// What a person has set for one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ServerSettings {
    /// Which era it is spoken to in; counts from the next connection on.
    pub era: EraChoice,
    /// Whether it is told that it may ask for roots.
    pub roots: bool,
    /// Whether it is told that it may ask for forms to be filled.
    pub forms: bool,
    /// Whether it is told that it may ask for links to be opened.
    pub links: bool,
    /// Whether it is told that it may ask for model answers.
    pub sampling: bool,
    /// How long it may be silent in a call, in seconds; none means the app's limit.
    pub time_limit: Option<u32>,
    /// From which level on it is asked for its log messages (`debug` to `emergency`); none where it is not asked.
    pub log: Option<String>,
    /// Whether its calls are kept; the app's switch must be on as well.
    pub history: bool,
}

/// What a person has set for the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct Settings {
    /// The window's colours.
    pub theme: Theme,
    /// The language of dates and numbers, as a BCP 47 tag; none means the system's.
    pub language: Option<String>,
    /// MiB of frames that are kept for each server.
    pub traffic: u32,
    /// How long a server may be silent in a call, in seconds, where the server has no limit of its own.
    pub time_limit: u32,
    /// How long a call may last in all, in seconds, whatever progress it makes; a person's time does not count.
    pub longest_call: u32,
    /// Whether calls are kept.
    pub history: bool,
    /// How many calls are kept.
    pub calls_kept: u32,
    /// Whether the desktop is told, without any content, that a question waits.
    pub notifications: bool,
}

/// Which era a server is spoken to in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum EraChoice {
    /// Found out at each connection.
    #[default]
    Automatic,
    /// The stateless revisions only (2026-07-28 and later): `initialize` is never sent.
    Modern,
    /// The handshake only: `server/discover` is never sent.
    Legacy,
}

/// The window's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Theme {
    /// As the desktop has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// Few colours, far apart.
    Contrast,
}
