//! A model request as it is asked: how it is shown, what the person makes of it for the model, the model's draft, and the
//! check of the answer. No model is asked here.

use std::sync::Arc;

use gatehouse_mcp::model::content::Block;
use gatehouse_mcp::model::sampling::{CreateMessage, IncludeContext, Role, SamplingBlock, SamplingMessage};
use gatehouse_mcp::params::{Raw, RawMap};
use tokio::task::AbortHandle;

use crate::bounds;
use crate::endpoint::{Endpoint, Part, Prompt, Reply, Turn};
use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{
    DraftView, Priority, PriorityView, QuestionBody, SampleBlockView, SampleEdit, SampleMessageView, SampleView,
    TextEdit, block_view,
};

/// A model request to be decided on.
#[derive(Debug, Clone)]
pub struct SampleAsk {
    /// What is asked.
    pub request: Arc<CreateMessage>,
    /// The params as they stood.
    pub exact: Raw,
    /// True where the server's revision knows an answer of a single block only.
    pub single: bool,
    /// Who may be asked; none where no endpoint is on.
    pub endpoint: Option<Arc<Endpoint>>,
    /// Where the model's answer stands.
    pub draft: Draft,
}

/// Where the model's answer stands.
#[derive(Debug, Clone)]
pub enum Draft {
    /// Nobody was asked.
    Empty,
    /// The endpoint was asked.
    Asking {
        /// Tells this time of asking from others.
        serial: u64,
        /// Since when, in milliseconds since 1970.
        since: u64,
        /// Ends the asking with the last of these.
        task: Arc<EndsWith>,
    },
    /// The model has answered.
    Answered {
        /// Which time of asking it was.
        serial: u64,
        /// With this.
        reply: Reply,
    },
    /// The endpoint was asked in vain, for this reason.
    Failed(String),
}

/// Ends a task when it goes.
#[derive(Debug)]
pub struct EndsWith(AbortHandle);

impl EndsWith {
    /// Ends this task.
    pub fn of(task: AbortHandle) -> Self {
        Self(task)
    }
}

impl Drop for EndsWith {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl SampleAsk {
    /// The request for a screen.
    pub fn view(&self) -> QuestionBody {
        QuestionBody::Sample {
            request: self.request_view(),
            endpoint: self
                .endpoint
                .as_ref()
                .map(|endpoint| endpoint.view(&self.request.preferences.hints)),
            draft: self.draft.view(),
        }
    }

    /// The request as it is put to a model where nobody changes it.
    ///
    /// # Errors
    /// Something in it can't be given to a model, in words.
    pub fn prompt(&self) -> Result<Prompt> {
        let keep = |message: &SamplingMessage| vec![TextEdit::Keep; message.content.len()];
        self.edited(&SampleEdit {
            messages: self.request.messages.iter().map(keep).collect(),
            system_prompt: TextEdit::Keep,
            max_tokens: self.request.max_tokens,
            temperature: self.request.temperature.as_ref().map(|raw| raw.get().to_owned()),
            stop_sequences: None,
        })
    }

    /// The request as the person would put it to a model.
    ///
    /// # Errors
    /// The change does not fit the request, asks for more tokens than the server allows, or leaves nothing to ask.
    pub fn edited(&self, edit: &SampleEdit) -> Result<Prompt> {
        let request = &self.request;
        let shapes_fit = edit.messages.len() == request.messages.len()
            && edit
                .messages
                .iter()
                .zip(&request.messages)
                .all(|(edits, message)| edits.len() == message.content.len());
        if !shapes_fit {
            return Err(invalid("the change does not fit the request"));
        }
        if edit.max_tokens == 0 || edit.max_tokens > request.max_tokens {
            return Err(invalid(format!(
                "the server allows from 1 to {} tokens",
                request.max_tokens
            )));
        }
        let mut turns = Vec::new();
        for (edits, message) in edit.messages.iter().zip(&request.messages) {
            let mut parts = Vec::new();
            for (edit, block) in edits.iter().zip(&message.content) {
                parts.extend(part(edit, block)?);
            }
            if !parts.is_empty() {
                turns.push(Turn {
                    role: message.role,
                    parts,
                });
            }
        }
        if turns.is_empty() {
            return Err(invalid("no message is left to ask a model"));
        }
        let temperature = edit
            .temperature
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let temperature = temperature.map(|text| {
            let number = serde_json::from_str::<f64>(text)
                .ok()
                .and_then(|_| serde_json::from_str(text).ok());
            number.ok_or_else(|| invalid("the temperature is not a number"))
        });
        Ok(Prompt {
            system: match &edit.system_prompt {
                TextEdit::Keep => request.system_prompt.clone(),
                TextEdit::Drop => None,
                TextEdit::Text { text } => Some(text.clone()),
            },
            turns,
            max_tokens: edit.max_tokens,
            temperature: temperature.transpose()?,
            stop: edit
                .stop_sequences
                .clone()
                .unwrap_or_else(|| request.stop_sequences.clone()),
            hints: request.preferences.hints.clone(),
        })
    }

    /// Checks an answer; what passes is what leaves.
    ///
    /// # Errors
    /// It is no result of a model request, or is too long; the message says what is wrong.
    pub fn check(&self, answer: &str) -> Result<Raw> {
        if answer.len() > bounds::SAMPLE_ANSWER {
            return Err(invalid(format!(
                "the answer is longer than {} bytes",
                bounds::SAMPLE_ANSWER
            )));
        }
        let map = RawMap::parse(answer).map_err(|e| invalid(format!("the answer is not a JSON object: {e}")))?;
        if let Some((key, _)) = map
            .iter()
            .find(|(key, _)| !matches!(*key, "role" | "content" | "model" | "stopReason" | "_meta"))
        {
            return Err(invalid(format!(
                "the answer has {:?}, which no answer of a model has",
                harmless::line(key, 100)
            )));
        }
        if !matches!(map.text("role").as_deref(), Some("assistant" | "user")) {
            return Err(invalid("the answer's role must be assistant or user"));
        }
        if map.text("model").is_none_or(|model| model.trim().is_empty()) {
            return Err(invalid("the answer must name a model; by hand, write who you are"));
        }
        if map.get("stopReason").is_some() && map.text("stopReason").is_none() {
            return Err(invalid("the answer's stopReason is not a text"));
        }
        if map.get("_meta").is_some_and(|meta| RawMap::parse(meta.get()).is_err()) {
            return Err(invalid("the answer's _meta is not an object"));
        }
        let content = map.get("content").ok_or_else(|| invalid("the answer has no content"))?;
        match serde_json::from_str::<Vec<Raw>>(content.get()) {
            Ok(_) if self.single => {
                return Err(invalid(
                    "this server's revision of the protocol knows an answer of one block only, not a list",
                ));
            }
            Ok(blocks) => blocks.iter().try_for_each(|block| content_block(block))?,
            Err(_) => content_block(content)?,
        }
        Ok(map.to_raw())
    }

    /// How an answer came about, for the record.
    pub fn story(&self, answer: &Raw) -> String {
        let (text, model) = said(answer);
        match (&self.draft, &self.endpoint) {
            (Draft::Answered { reply, .. }, Some(endpoint)) => {
                let host = endpoint.view(&[]).host;
                let as_it_came = text.as_deref() == Some(harmless::text(&reply.text).as_str());
                let changed = if as_it_came { "" } else { ", changed by you" };
                format!("answered by {} at {host}{changed}", harmless::line(&reply.model, 100))
            }
            _ => format!("answered by hand as {}", harmless::line(&model, 100)),
        }
    }

    /// What was asked, in a line for the record.
    pub fn summary(&self) -> String {
        let last = self.request.messages.last().and_then(|message| {
            message.content.iter().find_map(|block| match block {
                SamplingBlock::Content(block) => match &**block {
                    Block::Text { text, .. } => Some(harmless::line(text, 200)),
                    _ => None,
                },
                SamplingBlock::ToolUse(_) | SamplingBlock::ToolResult(_) => None,
            })
        });
        let count = self.request.messages.len();
        let plural = if count == 1 { "message" } else { "messages" };
        match last {
            Some(last) => format!("{count} {plural}, at most {} tokens: {last}", self.request.max_tokens),
            None => format!("{count} {plural}, at most {} tokens", self.request.max_tokens),
        }
    }

    fn request_view(&self) -> SampleView {
        let request = &self.request;
        let preferences = &request.preferences;
        let weights = [
            (Priority::Cost, preferences.cost),
            (Priority::Speed, preferences.speed),
            (Priority::Intelligence, preferences.intelligence),
        ];
        let mut ignored = Vec::new();
        if request.include_context != IncludeContext::None {
            ignored.push("What comes of servers is not added to the request.".to_owned());
        }
        if request.metadata.is_some() {
            ignored.push("Its metadata for a provider of models is not passed on.".to_owned());
        }
        let line = |text: &String| harmless::line(text, bounds::LINE);
        SampleView {
            messages: request.messages.iter().map(message_view).collect(),
            system_prompt: request
                .system_prompt
                .as_deref()
                .map(|text| harmless::paragraph(text, bounds::SAMPLE_TEXT)),
            max_tokens: request.max_tokens,
            temperature: request.temperature.as_ref().map(|raw| raw.get().to_owned()),
            stop_sequences: request.stop_sequences.iter().map(|text| harmless::text(text)).collect(),
            hints: preferences.hints.iter().map(line).collect(),
            priorities: weights
                .into_iter()
                .filter_map(|(what, weight)| Some(PriorityView { what, weight: weight? }))
                .collect(),
            ignored,
            exact: harmless::paragraph(self.exact.get(), bounds::SAMPLE_EXACT),
        }
    }
}

impl Draft {
    fn view(&self) -> DraftView {
        match self {
            Self::Empty => DraftView::Empty,
            Self::Asking { since, .. } => DraftView::Asking { since: *since },
            Self::Answered { serial, reply } => DraftView::Answered {
                serial: *serial,
                text: harmless::text(&reply.text),
                model: harmless::line(&reply.model, bounds::LINE),
                stop_reason: reply.stop_reason.as_deref().map(|reason| harmless::line(reason, 100)),
            },
            Self::Failed(message) => DraftView::Failed {
                message: message.clone(),
            },
        }
    }
}

fn message_view(message: &SamplingMessage) -> SampleMessageView {
    SampleMessageView {
        by_model: message.role == Role::Assistant,
        blocks: message.content.iter().map(shown).collect(),
    }
}

fn shown(block: &SamplingBlock) -> SampleBlockView {
    match block {
        SamplingBlock::Content(block) => match &**block {
            Block::Text { text, annotations } => {
                let kept: String = text.chars().take(bounds::SAMPLE_TEXT).collect();
                let cut = text[kept.len()..].chars().count() as u64;
                let block = block_view(Block::Text {
                    text: kept,
                    annotations: annotations.clone(),
                });
                SampleBlockView { block, cut }
            }
            other => SampleBlockView {
                block: block_view(other.clone()),
                cut: 0,
            },
        },
        SamplingBlock::ToolUse(raw) | SamplingBlock::ToolResult(raw) => SampleBlockView {
            block: block_view(Block::read(raw)),
            cut: 0,
        },
    }
}

fn part(edit: &TextEdit, block: &SamplingBlock) -> Result<Option<Part>> {
    let block = match (edit, block) {
        (TextEdit::Drop, _) => return Ok(None),
        (_, SamplingBlock::Content(block)) => block,
        (_, SamplingBlock::ToolUse(_) | SamplingBlock::ToolResult(_)) => {
            return Err(invalid("the use of tools can't be told to a model; leave it out"));
        }
    };
    Ok(Some(match (edit, &**block) {
        (TextEdit::Text { text }, Block::Text { .. }) => Part::Text(text.clone()),
        (TextEdit::Text { .. }, _) => return Err(invalid("only a text can be changed")),
        (_, Block::Text { text, .. }) => Part::Text(text.clone()),
        (_, Block::Image { data, mime_type, .. }) => Part::Image {
            data: data.clone(),
            mime_type: mime_type.clone(),
        },
        (_, Block::Audio { data, mime_type, .. }) => Part::Audio {
            data: data.clone(),
            mime_type: mime_type.clone(),
        },
        (_, Block::ResourceLink { .. } | Block::Resource { .. } | Block::Unknown { .. }) => {
            return Err(invalid(
                "a part of it is of a kind that no model is given; leave it out",
            ));
        }
    }))
}

fn content_block(raw: &serde_json::value::RawValue) -> Result<()> {
    let map =
        RawMap::parse(raw.get()).map_err(|_| invalid("the answer's content is neither a block nor a list of them"))?;
    let needs: &[&str] = match map.text("type").as_deref() {
        Some("text") => &["text"],
        Some("image" | "audio") => &["data", "mimeType"],
        Some("tool_use" | "tool_result") => return Err(invalid("the use of tools was not offered to the server")),
        Some(_) | None => {
            return Err(invalid(
                "a block of the answer must be of the type text, image or audio",
            ));
        }
    };
    match needs.iter().find(|key| map.text(key).is_none()) {
        Some(key) => Err(invalid(format!("a block of the answer has no {key}"))),
        None => Ok(()),
    }
}

/// The text of an answer that is one block of text, and its model.
fn said(answer: &Raw) -> (Option<String>, String) {
    let map = RawMap::parse(answer.get()).unwrap_or_default();
    let block = map.get("content").and_then(|raw| RawMap::parse(raw.get()).ok());
    (
        block.and_then(|block| block.text("text")),
        map.text("model").unwrap_or_default(),
    )
}

fn invalid(reason: impl Into<String>) -> HostError {
    HostError::Invalid { reason: reason.into() }
}
