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
    /// The output schema as JSON text.
    pub output_schema: Option<String>,
    /// What the server claims of the tool as JSON text (`annotations`), made harmless; claims, not facts.
    pub annotations: Option<String>,
}

/// What a check of arguments against a tool's input schema found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct CheckView {
    /// Places that do not fit; none where everything does.
    pub faults: Vec<FaultView>,
    /// Why the schema could not be used, where it could not.
    pub unusable: Option<String>,
}

/// One place where a value does not fit its schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FaultView {
    /// JSON pointer to the place; empty for the whole.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl From<crate::schema::Checked> for CheckView {
    fn from(checked: crate::schema::Checked) -> Self {
        use crate::schema::Checked;
        match checked {
            Checked::Fits => Self {
                faults: Vec::new(),
                unusable: None,
            },
            Checked::Misfits(faults) => Self {
                faults: faults
                    .into_iter()
                    .map(|fault| FaultView {
                        path: fault.path,
                        message: fault.message,
                    })
                    .collect(),
                unusable: None,
            },
            Checked::Unusable(reason) => Self {
                faults: Vec::new(),
                unusable: Some(reason),
            },
        }
    }
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
