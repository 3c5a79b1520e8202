//! A configured server, its definition and its connection as a person sees them.

use serde::{Deserialize, Serialize};

use super::ServerSettings;

/// One configured server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ServerView {
    /// The name the person gave.
    pub name: String,
    /// What is started.
    pub definition: DefinitionView,
    /// Whether the person has seen this definition.
    pub trust: Trust,
    /// True when the entry is switched off in the file.
    pub disabled: bool,
    /// What the person has set for it.
    pub settings: ServerSettings,
    /// True when folders left for this server since its connection started.
    pub shared_this_run: bool,
    /// The connection.
    pub connection: ConnectionView,
    /// Counts the changes of its lists that it announced; a list that was pulled at another count is old.
    pub list_changes: u64,
    /// The resources of it that are watched.
    pub watched: Vec<WatchView>,
    /// The last lines of its stderr and its log messages, oldest first, made harmless.
    pub stderr: Vec<String>,
    /// Why the entry can't be used, where its text is broken.
    pub problem: Option<String>,
}

/// A resource that is watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct WatchView {
    /// Its address, exactly as it is read by. Show `label` instead.
    pub uri: String,
    /// The address made harmless.
    pub label: String,
    /// Whether its server tells of changes.
    pub state: WatchState,
    /// How many changes were told; several in quick succession are one.
    pub changes: u64,
    /// True where it changed since it was read last.
    pub changed: bool,
    /// True where nobody listened for a while since it was read last, so that it may have changed.
    pub missed: bool,
}

/// Whether changes of a resource are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "is")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum WatchState {
    /// The server was asked and has not said yes.
    Asked,
    /// The server tells of changes.
    Watched,
    /// There is no connection; the next one asks again.
    Waiting,
    /// The server does not do it.
    Refused {
        /// Why, in words.
        reason: String,
    },
    /// The server did it, and ended it.
    Ended {
        /// Why, in words.
        reason: String,
    },
}

/// Everything that decides what a server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct DefinitionView {
    /// The program as configured.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Added environment, in the file's order.
    pub env: Vec<EnvView>,
    /// The working directory as configured; none means an empty folder of Gatehouse's own.
    pub cwd: Option<String>,
    /// First twelve hex digits of the fingerprint.
    pub fingerprint: String,
}

/// One environment variable of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct EnvView {
    /// Its name.
    pub key: String,
    /// Its value.
    pub value: String,
}

/// What the person knows of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Trust {
    /// Seen and allowed to start.
    Trusted,
    /// Never seen.
    New,
    /// Another definition of this name was seen; this one was not.
    Changed,
}

/// The state of a connection, with its reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "state")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum ConnectionView {
    /// Not connected.
    Idle,
    /// Waiting for the person to allow the definition, or for the first answer.
    Starting {
        /// When it began, in milliseconds since 1970.
        since: u64,
        /// What it waits for, in words.
        waits_for: String,
    },
    /// Connected.
    Ready {
        /// When it became ready, in milliseconds since 1970.
        since: u64,
        /// The protocol revision in use.
        revision: String,
        /// True for the stateless revisions (2026-07-28 and later).
        modern: bool,
        /// The process.
        pid: u32,
        /// True where it offers suggestions for what is typed.
        suggests: bool,
        /// True where it says that its resources can be watched.
        watchable: bool,
        /// What the server calls itself.
        identity: IdentityView,
    },
    /// It did not start, or it ended unasked.
    Failed {
        /// What happened.
        reason: String,
        /// What the person can do.
        hint: String,
    },
    /// Being stopped.
    Stopping,
}

/// What a server says of itself; claims, not facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct IdentityView {
    /// Its name.
    pub name: String,
    /// Its title for people.
    pub title: Option<String>,
    /// Its version.
    pub version: String,
    /// Its picture.
    pub icon: Option<super::IconView>,
    /// Its instructions.
    pub instructions: Option<String>,
}

/// What a person enters to add a server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ServerInput {
    /// Its name.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Added environment, as (name, value).
    pub env: Vec<(String, String)>,
    /// The working directory, where one is wanted.
    pub cwd: Option<String>,
}

/// The state of `servers.json` as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ServersFileView {
    /// Where the file is.
    pub path: String,
    /// Why it can't be read, where it can't: line and reason. The last good servers stay.
    pub problem: Option<String>,
}
