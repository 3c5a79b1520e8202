//! What a server offers: tools, prompts, resources. All text is the server's, made harmless.

use serde::Serialize;

/// One listing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ListingView<T> {
    /// The entries in the server's order.
    pub items: Vec<T>,
    /// Entries that can't be read.
    pub unreadable: Vec<UnreadableView>,
    /// Why the listing is not whole, where it is not.
    pub stopped: Option<String>,
}

/// An entry that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct UnreadableView {
    /// Its name, where that much could be read.
    pub name: Option<String>,
    /// What is wrong with it.
    pub reason: String,
    /// Its text, made harmless and cut at a stated length.
    pub text: String,
}

/// A tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ToolView {
    /// The name to call it by, exactly as the server wrote it. Show `label` instead.
    pub name: String,
    /// The name made harmless.
    pub label: String,
    /// The title for people.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The input schema as JSON text.
    pub input_schema: String,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct PromptView {
    /// The name to get it by, exactly as the server wrote it. Show `label` instead.
    pub name: String,
    /// The name made harmless.
    pub label: String,
    /// The title for people.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// Its arguments.
    pub arguments: Vec<PromptArgumentView>,
}

/// An argument of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct PromptArgumentView {
    /// The name.
    pub name: String,
    /// The title or name, made harmless.
    pub label: String,
    /// The description.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
}

/// A resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ResourceView {
    /// The URI to read it by, exactly as the server wrote it. Show `label` instead.
    pub uri: String,
    /// The URI made harmless.
    pub label: String,
    /// The name or title.
    pub name: String,
    /// The description.
    pub description: Option<String>,
    /// The media type.
    pub mime_type: Option<String>,
}
