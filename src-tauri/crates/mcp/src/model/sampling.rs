//! `sampling/createMessage`: what a server wants of a model, and the answer's form. No model is called here.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::bounds::{SAMPLING_MESSAGES, SAMPLING_STOPS};
use crate::model::content::Block;
use crate::model::read;
use crate::params::{Raw, RawMap};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// A request to a model.
#[derive(Debug, Clone)]
pub struct CreateMessage {
    /// What was said so far.
    pub messages: Vec<SamplingMessage>,
    /// Which model is wanted.
    pub preferences: ModelPreferences,
    /// What the model is told first.
    pub system_prompt: Option<String>,
    /// Most tokens of the answer.
    pub max_tokens: u64,
    /// The temperature, as it stood.
    pub temperature: Option<Raw>,
    /// Where the model is to stop.
    pub stop_sequences: Vec<String>,
    /// What of other servers is to be added; may be ignored.
    pub include_context: IncludeContext,
    /// Tools for the model, as they stood. An error where `sampling_tools` was not declared.
    pub tools: Option<Raw>,
    /// How the model is to use tools, as it stood. An error where `sampling_tools` was not declared.
    pub tool_choice: Option<Raw>,
    /// For the model's provider, as it stood.
    pub metadata: Option<Raw>,
}

/// One message.
#[derive(Debug, Clone)]
pub struct SamplingMessage {
    /// Who says it.
    pub role: Role,
    /// What is said. One block and a list of blocks read alike.
    pub content: Vec<SamplingBlock>,
}

/// One block of a message.
#[derive(Debug, Clone)]
pub enum SamplingBlock {
    /// Text, a picture, a sound, or something unknown.
    Content(Box<Block>),
    /// The model wants a tool to be used; as it stood.
    ToolUse(Raw),
    /// What came of it; as it stood.
    ToolResult(Raw),
}

/// Which model is wanted. The hints come first, in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelPreferences {
    /// Parts of names of models or families.
    pub hints: Vec<String>,
    /// How much a low cost matters, from 0 to 1.
    pub cost: Option<f64>,
    /// How much speed matters, from 0 to 1.
    pub speed: Option<f64>,
    /// How much ability matters, from 0 to 1.
    pub intelligence: Option<f64>,
}

/// What of other servers is to be added to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IncludeContext {
    /// Nothing; also where the server wrote something unknown.
    None,
    /// What comes from this server.
    ThisServer,
    /// What comes from all servers.
    AllServers,
}

/// A model's answer.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// Who says it.
    pub role: Role,
    /// The blocks; [`text_block`] makes one. Revisions before 2025-11-25 know a single block only.
    pub content: Vec<Raw>,
    /// The model that was used.
    pub model: String,
    /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, or something else.
    pub stop_reason: Option<String>,
}

impl CreateMessage {
    /// Reads the params.
    ///
    /// # Errors
    /// Says what can't be read; a request that can't be shown whole is not answered in part.
    pub fn read(map: &RawMap) -> Result<Self, String> {
        let messages = map.get("messages").ok_or("messages is missing")?;
        let messages = read::array(messages).map_err(|reason| format!("messages: {reason}"))?;
        if messages.len() > SAMPLING_MESSAGES {
            return Err(format!(
                "{} messages, at most {SAMPLING_MESSAGES} are read",
                messages.len()
            ));
        }
        let messages = messages.iter().enumerate().map(|(index, raw)| {
            let message = read::object(raw).and_then(|map| message(&map));
            message.map_err(|reason| format!("message {}: {reason}", index + 1))
        });
        let stop_sequences = read::texts(map, "stopSequences");
        if stop_sequences.len() > SAMPLING_STOPS {
            return Err(format!("more than {SAMPLING_STOPS} stop sequences"));
        }
        Ok(Self {
            messages: messages.collect::<Result<_, _>>()?,
            preferences: preferences(map),
            system_prompt: read::lenient(map, "systemPrompt"),
            max_tokens: max_tokens(map)?,
            temperature: read::raw(map, "temperature").filter(|raw| raw.get().parse::<f64>().is_ok()),
            stop_sequences,
            include_context: match map.text("includeContext").as_deref() {
                Some("thisServer") => IncludeContext::ThisServer,
                Some("allServers") => IncludeContext::AllServers,
                Some(_) | None => IncludeContext::None,
            },
            tools: read::raw(map, "tools"),
            tool_choice: read::raw(map, "toolChoice"),
            metadata: read::raw(map, "metadata"),
        })
    }

    /// True where the request needs `sampling_tools` to have been declared: it names tools, or tells of their use.
    pub fn needs_tools(&self) -> bool {
        let tells = |block: &SamplingBlock| matches!(block, SamplingBlock::ToolUse(_) | SamplingBlock::ToolResult(_));
        self.tools.is_some()
            || self.tool_choice.is_some()
            || self.messages.iter().any(|message| message.content.iter().any(tells))
    }
}

impl Sampled {
    /// The result of the request. Exactly one block is written as itself, any other number as a list.
    pub fn to_raw(&self) -> Raw {
        let result = RawMap::new().with("role", &self.role);
        let result = match self.content.as_slice() {
            [one] => result.with_raw("content", one.clone()),
            blocks => result.with("content", &blocks),
        };
        let result = result.with("model", &self.model);
        match &self.stop_reason {
            Some(reason) => result.with("stopReason", reason),
            None => result,
        }
        .to_raw()
    }
}

/// A block of text.
pub fn text_block(text: &str) -> Raw {
    RawMap::new().with("type", &"text").with("text", &text).to_raw()
}

fn message(map: &RawMap) -> Result<SamplingMessage, String> {
    let role = match read::required_text(map, "role")?.as_str() {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        other => return Err(format!("role {other:?} is not known")),
    };
    let content = read::present(map, "content").ok_or("content is missing")?;
    let content = match read::array(content) {
        Ok(blocks) => blocks.iter().map(|raw| block(raw)).collect(),
        Err(_) => vec![block(content)],
    };
    Ok(SamplingMessage { role, content })
}

fn block(raw: &RawValue) -> SamplingBlock {
    let kind = read::object(raw).ok().and_then(|map| map.text("type"));
    match kind.as_deref() {
        Some("tool_use") => SamplingBlock::ToolUse(raw.to_owned()),
        Some("tool_result") => SamplingBlock::ToolResult(raw.to_owned()),
        Some(_) | None => SamplingBlock::Content(Box::new(Block::read(raw))),
    }
}

fn preferences(map: &RawMap) -> ModelPreferences {
    let Some(map) = read::present(map, "modelPreferences").and_then(|raw| read::object(raw).ok()) else {
        return ModelPreferences::default();
    };
    let hints = read::present(&map, "hints").and_then(|raw| read::array(raw).ok());
    let weight = |key| read::lenient(&map, key).filter(|weight| (0.0..=1.0).contains(weight));
    ModelPreferences {
        hints: hints
            .unwrap_or_default()
            .iter()
            .filter_map(|raw| read::object(raw).ok()?.text("name"))
            .collect(),
        cost: weight("costPriority"),
        speed: weight("speedPriority"),
        intelligence: weight("intelligencePriority"),
    }
}

/// A whole number of at least one; `100.0` is one too.
fn max_tokens(map: &RawMap) -> Result<u64, String> {
    let raw = map.get("maxTokens").ok_or("maxTokens is missing")?.get();
    let whole = raw.parse().ok().or_else(|| raw.strip_suffix(".0")?.parse().ok());
    whole
        .filter(|tokens| *tokens > 0)
        .ok_or_else(|| "maxTokens is not a whole number of at least 1".into())
}
