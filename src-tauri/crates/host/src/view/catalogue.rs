//! What a server offers: tools, prompts, resources. All text is the server's, made harmless.

use serde::{Deserialize, Serialize};

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
    /// Its picture.
    pub icon: Option<IconView>,
    /// What it said of itself when the person last called it, where it says something else now.
    pub changed: Option<ToolSaid>,
}

/// What a tool says of itself, as far as a person or a model goes by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ToolSaid {
    /// The title for people.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The input schema as JSON text.
    pub input_schema: String,
    /// The output schema as JSON text.
    pub output_schema: Option<String>,
    /// What the server claims of the tool as JSON text (`annotations`).
    pub annotations: Option<String>,
}

impl ToolView {
    /// What it says of itself now.
    pub fn said(&self) -> ToolSaid {
        ToolSaid {
            title: self.title.clone(),
            description: self.description.clone(),
            input_schema: self.input_schema.clone(),
            output_schema: self.output_schema.clone(),
            annotations: self.annotations.clone(),
        }
    }
}

/// What a check of arguments against a tool's input schema found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct CheckView {
    /// Places that do not fit; none where everything does.
    pub faults: Vec<FaultView>,
    /// Why the schema could not be used, where it could not.
    pub unusable: Option<String>,
}

/// One place where a value does not fit its schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Its picture.
    pub icon: Option<IconView>,
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
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ResourceView {
    /// The URI to read it by, exactly as the server wrote it. Show `label` instead.
    pub uri: String,
    /// The URI made harmless.
    pub label: String,
    /// The name.
    pub name: String,
    /// The title for people.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The media type.
    pub mime_type: Option<String>,
    /// Its size in bytes, as claimed.
    pub size: Option<u64>,
    /// What the server claims of it.
    pub claims: ClaimsView,
    /// Its picture.
    pub icon: Option<IconView>,
}

/// A pattern of resource addresses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct TemplateView {
    /// The pattern (RFC 6570), exactly as the server wrote it. Show `label` instead.
    pub template: String,
    /// The pattern made harmless.
    pub label: String,
    /// The name.
    pub name: String,
    /// The title for people.
    pub title: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// Media type of what it yields.
    pub mime_type: Option<String>,
    /// Its variables, in order.
    pub variables: Vec<VariableView>,
    /// Why no address can be made of it, where none can.
    pub unusable: Option<String>,
    /// What the server claims of what it yields.
    pub claims: ClaimsView,
    /// Its picture.
    pub icon: Option<IconView>,
}

/// A variable of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct VariableView {
    /// Its name.
    pub name: String,
    /// True where it takes a list, one item a line.
    pub several: bool,
}

/// What a server claims of a resource; nobody checks it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ClaimsView {
    /// Whom it is for: `user`, `assistant`, or other words of the server's.
    pub audience: Vec<String>,
    /// How much it matters, from 0 to 1.
    pub priority: Option<f64>,
    /// When it changed last, as the server wrote it.
    pub last_modified: Option<String>,
}

/// The picture of one thing, by the ground that it stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct IconView {
    /// A `data:` address that may be drawn, for a light ground; for both where there is no other.
    pub light: Option<String>,
    /// One for a dark ground.
    pub dark: Option<String>,
    /// The address of a picture elsewhere (http or https), which was not fetched.
    pub remote: Option<String>,
}

/// What is typed, for suggestions of the server's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SuggestInput {
    /// Whose argument it is.
    pub of: SuggestOf,
    /// The name of the prompt, or the template, exactly as the server wrote it.
    pub name: String,
    /// The argument or variable.
    pub argument: String,
    /// What was typed so far.
    pub value: String,
    /// The other arguments that have a value, as (name, value).
    pub others: Vec<(String, String)>,
}

/// Whose argument suggestions are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum SuggestOf {
    /// A prompt's.
    Prompt,
    /// A resource template's.
    Template,
}

/// What a server suggests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SuggestionsView {
    /// Best first.
    pub values: Vec<SuggestionView>,
    /// How many there are in all, as claimed.
    pub total: Option<u64>,
    /// True where there are more than these.
    pub more: bool,
}

/// One suggestion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SuggestionView {
    /// The value to take, exactly as the server wrote it. Show `label` instead.
    pub value: String,
    /// The value made harmless.
    pub label: String,
}
