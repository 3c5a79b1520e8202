//! What the host tells whoever watches: whole values, one a part of the state. No deltas.

use serde::Serialize;

use super::{CallView, FolderView, GrantView, QuestionView, ServerView, ServersFileView, Settings, TrafficView};

/// One whole value that replaces the last one of its kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "type")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Update {
    /// The folders of the active workspace.
    Folders {
        /// In order.
        folders: Vec<FolderView>,
    },
    /// The configured servers and their connections.
    Servers {
        /// In the file's order.
        servers: Vec<ServerView>,
        /// The file they stand in.
        file: ServersFileView,
    },
    /// The open questions, oldest first.
    Questions {
        /// In the order they were asked.
        questions: Vec<QuestionView>,
    },
    /// The grants.
    Grants {
        /// Newest last.
        grants: Vec<GrantView>,
    },
    /// Running calls and the last ended ones.
    Calls {
        /// Newest last.
        calls: Vec<CallView>,
    },
    /// The record grew; rows are pulled.
    Record {
        /// Number of the newest row; 0 for none.
        newest: u64,
    },
    /// The history of calls changed; its lines are pulled.
    History {
        /// Number of the newest call; 0 for none.
        newest: u64,
        /// How many are kept.
        calls: u64,
    },
    /// How far the servers' traffic has come; frames are pulled.
    Traffic {
        /// One a server.
        servers: Vec<TrafficView>,
    },
    /// Things the person should know that happened while nobody looked.
    Notices {
        /// Oldest first.
        notices: Vec<NoticeView>,
    },
    /// What the person has set for the app.
    Settings {
        /// All of it.
        settings: Settings,
    },
}

/// Something the person should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct NoticeView {
    /// Its number, to dismiss it.
    pub id: u64,
    /// What happened and what can be done.
    pub message: String,
}

/// An error as the page gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ErrorView {
    /// What kind, for the few places that act on it.
    pub code: crate::error::Code,
    /// What happened, to which server or folder, and what can be done.
    pub message: String,
}
