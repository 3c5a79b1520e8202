//! An open question and its answer, as the page or the terminal shows and sends them.

use serde::{Deserialize, Serialize};

use super::{DefinitionView, DraftView, EndpointView, Health, SampleChoice, SampleView, Trust};

/// One open question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct QuestionView {
    /// Its number; never used twice in one run.
    pub id: u64,
    /// The server that asks.
    pub server: String,
    /// What is run under that name.
    pub definition: DefinitionView,
    /// New, unchanged or changed since the person last allowed it.
    pub trust: Trust,
    /// Why it is asked now; several when equal questions of several calls are one.
    pub why: Vec<WhyView>,
    /// When it was asked, in milliseconds since 1970.
    pub asked_at: u64,
    /// When the server stops waiting, in milliseconds since 1970, where it does.
    pub expires_at: Option<u64>,
    /// What must be decided.
    pub body: QuestionBody,
}

/// The occasion of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct WhyView {
    /// The person's call that led to it; none where the server asked on its own.
    pub call: Option<u64>,
    /// The method of that call, or of the server's request.
    pub method: String,
    /// The tool, prompt or resource.
    pub target: Option<String>,
    /// The arguments of the call as JSON text, made harmless and cut at a stated length.
    pub args: Option<String>,
    /// The round that opened the question, from 1.
    pub round: u64,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum QuestionBody {
    /// May this command be started?
    Trust {
        /// The definition that was allowed before, where there was one.
        previous: Option<DefinitionView>,
    },
    /// Which folders may the server be told?
    Roots {
        /// Every folder of the workspace, in order.
        folders: Vec<RootChoice>,
    },
    /// A form of the server's.
    Form {
        /// The server's words, made harmless.
        message: String,
        /// The fields in order.
        fields: Vec<FieldView>,
        /// What the person entered into it before, as the text of a JSON object: the server forgot the call, and the form
        /// is asked again. It is put into the fields to be looked at.
        draft: Option<String>,
    },
    /// A page that the server asks to have opened. Nothing of it was fetched.
    Link {
        /// The server's words, made harmless.
        message: String,
        /// The address as the server wrote it, made harmless.
        url: String,
        /// Where it leads; none where it can't be opened.
        link: Option<super::LinkView>,
        /// Why it can't be opened, where it can't.
        problem: Option<String>,
    },
    /// An answer of a model's that a server wants. Nobody was asked yet.
    Sample {
        /// What it asks.
        request: SampleView,
        /// Which endpoint could answer; none where none is on.
        endpoint: Option<EndpointView>,
        /// Where the model's answer stands.
        draft: DraftView,
    },
    /// Several of these that one round needs: one sheet, one answer. Never a sheet itself.
    Sheet {
        /// The parts, in the order of their answers.
        parts: Vec<QuestionBody>,
    },
}

/// One folder in a roots question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct RootChoice {
    /// The root.
    pub id: u64,
    /// The name that would be disclosed.
    pub name: String,
    /// The path as picked.
    pub path: String,
    /// Where it really leads, when that differs.
    pub real_path: Option<String>,
    /// Only a ready folder can be shared.
    pub health: Health,
    /// Ticked when the question is first shown.
    pub ticked: bool,
    /// A note such as "shared before; its target has changed since".
    pub note: Option<String>,
}

/// One field of an elicitation form.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct FieldView {
    /// The key in the answer.
    pub key: String,
    /// The server's title, or the key.
    pub title: String,
    /// The server's description.
    pub description: Option<String>,
    /// Whether it must be filled.
    pub required: bool,
    /// Its default as JSON text.
    pub default: Option<String>,
    /// What may be entered.
    pub kind: FieldKind,
}

impl Eq for FieldView {}

/// What may be entered in a field.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "type")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum FieldKind {
    /// Text.
    Text {
        /// `email`, `uri`, `date`, `date-time`, where given.
        format: Option<String>,
        /// Shortest length in characters.
        min_length: Option<u64>,
        /// Longest length in characters.
        max_length: Option<u64>,
    },
    /// A number.
    Number {
        /// Whole numbers only.
        integer: bool,
        /// Smallest value as JSON text.
        minimum: Option<String>,
        /// Largest value as JSON text.
        maximum: Option<String>,
    },
    /// Yes or no.
    Boolean,
    /// One of several.
    Choice {
        /// The choices.
        options: Vec<OptionView>,
    },
    /// Several of several.
    MultiChoice {
        /// The choices.
        options: Vec<OptionView>,
        /// Fewest.
        min_items: Option<u64>,
        /// Most.
        max_items: Option<u64>,
    },
}

/// One choice of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct OptionView {
    /// The value that is sent.
    pub value: String,
    /// What is shown.
    pub title: String,
}

/// The person's answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum AnswerInput {
    /// To a trust question.
    Trust {
        /// Start it, and remember the definition as seen.
        start: bool,
    },
    /// To a roots question.
    Roots {
        /// What was chosen.
        choice: RootsChoice,
        /// The ticked folders; used by the sharing choices only.
        folders: Vec<u64>,
    },
    /// To a form.
    Form {
        /// What was chosen.
        action: FormAction,
        /// The filled fields as the text of one JSON object; used by `accept` only.
        content: Option<String>,
    },
    /// To a page.
    Link {
        /// `accept` where the person opened it and goes on.
        action: FormAction,
    },
    /// To a model request.
    Sample {
        /// What was chosen.
        choice: SampleChoice,
        /// The text of one result of `sampling/createMessage`; used by the choices that send it.
        result: Option<String>,
    },
    /// To a sheet: one answer a part, in the order of the parts.
    Sheet {
        /// The answers.
        parts: Vec<AnswerInput>,
    },
}

/// The choices of the consent dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum RootsChoice {
    /// Share the ticked folders with this call.
    ShareOnce,
    /// Share the ticked folders until Gatehouse quits.
    ShareSession,
    /// Always share the ticked folders with this server.
    ShareAlways,
    /// Share an empty list; the call goes on.
    ShareNone,
    /// Don't share; the call ends.
    Refuse,
    /// Don't share, and never ask again for this server.
    Never,
}

/// The three ends of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum FormAction {
    /// Send the content.
    Accept,
    /// Say no.
    Decline,
    /// Close without an answer.
    Cancel,
}
