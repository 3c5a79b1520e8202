//! A root as a person sees it. Not what is disclosed: that is built in `answer`.

use serde::{Deserialize, Serialize};

/// One folder of the active workspace, in the person's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FolderView {
    /// Stable number of the root.
    pub id: u64,
    /// The path as picked, made harmless for the screen.
    pub path: String,
    /// Where the path really leads, when that differs.
    pub real_path: Option<String>,
    /// The name that is disclosed with the folder.
    pub name: String,
    /// The URI that is disclosed.
    pub uri: String,
    /// Whether it could be disclosed now.
    pub health: Health,
}

/// Whether a folder is what the list says, checked when the view was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "state")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Health {
    /// There and readable.
    Ready,
    /// Nothing stands at the path.
    Missing,
    /// Something that is neither a folder nor a file stands at the path.
    NotAFolder,
    /// It is there and can't be read.
    Unreadable {
        /// What the system said.
        reason: String,
    },
}

/// What became of one path that was to be added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct AddedFolder {
    /// The path as given, made harmless.
    pub path: String,
    /// The root, where there is one now.
    pub id: Option<u64>,
    /// Why it was not added: already there, missing, not readable. None when it was added.
    pub problem: Option<String>,
}
