//! Calls and what they end with.

use serde::Serialize;

use super::FarView;

/// A call of the person's, running or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct CallView {
    /// Its number.
    pub id: u64,
    /// The server.
    pub server: String,
    /// `tools/call`, `prompts/get` or `resources/read`.
    pub method: String,
    /// The tool, prompt or resource, made harmless.
    pub target: String,
    /// The round it is in, from 1.
    pub round: u64,
    /// When it began, in milliseconds since 1970.
    pub started_at: u64,
    /// When it ended, in milliseconds since 1970.
    pub ended_at: Option<u64>,
    /// Where it stands.
    pub state: CallState,
    /// How far the server says it has come, where it says so.
    pub progress: Option<ProgressView>,
}

/// How far a call has come, in the server's words and numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct ProgressView {
    /// How far, as the server wrote it.
    pub value: String,
    /// Of how much, as the server wrote it.
    pub total: Option<String>,
    /// The part that is done, from 0 to 1; none where there is no total.
    pub fraction: Option<f64>,
    /// What is being done, made harmless.
    pub message: Option<String>,
}

impl Eq for ProgressView {}

/// Where a call stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "state")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum CallState {
    /// The server works.
    Running,
    /// Waiting for the person.
    Waiting,
    /// Ended with a result.
    Done,
    /// Ended with an error of the tool's.
    ToolError,
    /// Ended since an answer was refused; nothing was sent.
    Declined {
        /// What was refused, in words.
        message: String,
    },
    /// Ended with an error.
    Failed {
        /// What happened.
        message: String,
    },
    /// Ended by the person.
    Cancelled,
}

/// What a call gives back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "end")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum CallEnd {
    /// A result of the server's.
    Completed {
        /// The call.
        call: u64,
        /// How many rounds it took.
        rounds: u64,
        /// Its duration in milliseconds, the person's time included.
        took_ms: u64,
        /// The result.
        result: ResultView,
    },
    /// An answer was refused and the call ended.
    Declined {
        /// The call.
        call: u64,
        /// What was refused, in words.
        message: String,
    },
}

/// A result by the method that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum ResultView {
    /// Of `tools/call`.
    Tool {
        /// Content in order.
        content: Vec<BlockView>,
        /// How many further blocks there are, where they are not all here.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        more: Option<u64>,
        /// `structuredContent` as JSON text.
        structured: Option<String>,
        /// Where the structured content is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        structured_far: Option<Box<FarView>>,
        /// An error of the tool's own.
        is_error: bool,
        /// Where `structuredContent` does not fit the tool's output schema; none where it fits or was not checked.
        mismatch: Option<super::CheckView>,
        /// The whole result as JSON text.
        raw: String,
        /// Where the whole result is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        raw_far: Option<Box<FarView>>,
    },
    /// Of `prompts/get`.
    Prompt {
        /// The prompt's description.
        description: Option<String>,
        /// Messages in order.
        messages: Vec<MessageView>,
        /// How many further messages there are, where they are not all here.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        more: Option<u64>,
        /// The whole result as JSON text.
        raw: String,
        /// Where the whole result is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        raw_far: Option<Box<FarView>>,
    },
    /// Of `resources/read`.
    Resource {
        /// Contents in order.
        content: Vec<BlockView>,
        /// How many further blocks there are, where they are not all here.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        more: Option<u64>,
        /// The whole result as JSON text.
        raw: String,
        /// Where the whole result is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        raw_far: Option<Box<FarView>>,
    },
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct MessageView {
    /// `user` or `assistant`, as the server wrote it.
    pub role: String,
    /// Its content.
    pub content: BlockView,
}

/// One block of content. Text is made harmless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "type")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum BlockView {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Where all of it is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        far: Option<Box<FarView>>,
    },
    /// A picture.
    Image {
        /// Base64 data; empty where it is kept for a page.
        data: String,
        /// Media type.
        mime_type: String,
        /// Where all of it is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        far: Option<Box<FarView>>,
    },
    /// Sound.
    Audio {
        /// Base64 data; empty where it is kept for a page.
        data: String,
        /// Media type.
        mime_type: String,
        /// Where all of it is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        far: Option<Box<FarView>>,
    },
    /// A link to a resource.
    Link {
        /// The URI to read it by, exactly as the server wrote it. Show `label` instead.
        uri: String,
        /// The URI made harmless.
        label: String,
        /// Its name.
        name: String,
        /// Media type.
        mime_type: Option<String>,
    },
    /// A resource's text or data.
    Resource {
        /// Its URI.
        uri: String,
        /// Media type.
        mime_type: Option<String>,
        /// Text, where it has text.
        text: Option<String>,
        /// Where all of the text is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        text_far: Option<Box<FarView>>,
        /// Length of its data in bytes, where it has data.
        bytes: Option<u64>,
        /// Its data in base64, where it has data and it is not kept for a page.
        data: Option<String>,
        /// Where the data is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        data_far: Option<Box<FarView>>,
    },
    /// Something else, shown as it is.
    Unknown {
        /// What could not be read.
        reason: String,
        /// Its JSON text.
        text: String,
        /// Where all of it is kept, for a page.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        far: Option<Box<FarView>>,
    },
}
