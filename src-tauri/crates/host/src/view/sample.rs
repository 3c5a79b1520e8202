//! A model request, what the person makes of it, and the model endpoint, as the page or the terminal shows and sends them.

use serde::{Deserialize, Serialize};

use super::BlockView;

/// A model request of a server's. Text is made harmless.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SampleView {
    /// What was said so far, in order.
    pub messages: Vec<SampleMessageView>,
    /// What the model is told first.
    pub system_prompt: Option<String>,
    /// Most tokens of the answer.
    pub max_tokens: u64,
    /// The temperature as it was written.
    pub temperature: Option<String>,
    /// Where the model is to stop.
    pub stop_sequences: Vec<String>,
    /// Names or parts of names of wanted models, the most wanted first.
    pub hints: Vec<String>,
    /// What matters, from 0 to 1, where the server says it.
    pub priorities: Vec<PriorityView>,
    /// What the request asks for and Gatehouse does not do.
    pub ignored: Vec<String>,
    /// The request as the server wrote it; cut at a stated length.
    pub exact: String,
}

impl Eq for SampleView {}

/// How much something matters for the choice of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct PriorityView {
    /// What.
    pub what: Priority,
    /// From 0 to 1.
    pub weight: f64,
}

/// What may matter for the choice of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Priority {
    /// A low cost.
    Cost,
    /// Speed.
    Speed,
    /// Ability.
    Intelligence,
}

/// One message of a model request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SampleMessageView {
    /// True where the model is said to have said it.
    pub by_model: bool,
    /// What is said.
    pub blocks: Vec<SampleBlockView>,
}

/// One block of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SampleBlockView {
    /// The block; a long text is cut.
    pub block: BlockView,
    /// Characters of its text that are not shown; such a text can be kept or left out, not changed.
    pub cut: u64,
}

/// Where the answer of the model stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "state")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum DraftView {
    /// Nobody was asked.
    Empty,
    /// The endpoint was asked and has not answered.
    Asking {
        /// Since when, in milliseconds since 1970.
        since: u64,
    },
    /// The model has answered; nothing of it was sent.
    Answered {
        /// Grows with each answer.
        serial: u64,
        /// What it said, made harmless.
        text: String,
        /// Which model.
        model: String,
        /// Why it stopped.
        stop_reason: Option<String>,
    },
    /// The endpoint was asked in vain.
    Failed {
        /// What happened and what can be done.
        message: String,
    },
}

/// The endpoint that a question may be put to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct EndpointView {
    /// Its address.
    pub url: String,
    /// Its host, and its port where it has one of its own.
    pub host: String,
    /// The model that would be asked.
    pub model: String,
    /// True where it is not on this machine.
    pub remote: bool,
    /// True where others on the way can't read what is sent.
    pub encrypted: bool,
}

/// A model request as the person would put it to the model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct SampleEdit {
    /// What becomes of each block of each message, in their order.
    pub messages: Vec<Vec<TextEdit>>,
    /// What becomes of the system prompt.
    pub system_prompt: TextEdit,
    /// Most tokens; no more than the server asked for.
    pub max_tokens: u64,
    /// The temperature; none leaves it to the endpoint.
    pub temperature: Option<String>,
    /// Where to stop; none keeps what the server wrote.
    pub stop_sequences: Option<Vec<String>>,
}

/// What becomes of a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "as")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum TextEdit {
    /// As the server wrote it.
    Keep,
    /// Left out.
    Drop,
    /// This in its place.
    Text {
        /// The text.
        text: String,
    },
}

/// The decision on a model request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum SampleChoice {
    /// Send this answer.
    Once,
    /// Send this answer, and until Gatehouse quits let the endpoint answer this server without a question.
    Session,
    /// Send nothing; the call ends.
    Refuse,
    /// Send nothing, now and later, without a question.
    Never,
}

/// How an endpoint is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum EndpointKind {
    /// `POST …/chat/completions`, as many programs speak it.
    #[default]
    OpenAi,
    /// `POST …/api/chat` of Ollama.
    Ollama,
}

/// The person's choice of an endpoint. Its key is apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct EndpointSettings {
    /// Whether it may be asked at all.
    pub on: bool,
    /// How it is spoken to.
    pub kind: EndpointKind,
    /// Its address, up to what the kind adds.
    pub url: String,
    /// The model that is asked where no hint fits.
    pub model: String,
    /// Which hints mean which model; the first that fits counts.
    pub mapping: Vec<HintMapping>,
    /// Most tokens of any answer, whatever a server asks for.
    pub max_tokens: u64,
    /// How long an answer may take, in seconds.
    pub seconds: u64,
}

/// A hint and the model it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct HintMapping {
    /// A part of a hint, whatever its case.
    pub part: String,
    /// The model.
    pub model: String,
}

/// The endpoint as the settings show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct EndpointState {
    /// The person's choice.
    pub settings: EndpointSettings,
    /// Where it leads; none where no address is set.
    pub leads: Option<EndpointView>,
    /// Whether a key is there. The key itself is never shown.
    pub key: KeyPlace,
}

/// Where the key of an endpoint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum KeyPlace {
    /// Nowhere.
    None,
    /// In the system's keychain.
    Keychain,
    /// In this run's memory, since no keychain could be used; it is gone when Gatehouse quits.
    ThisRun,
}
