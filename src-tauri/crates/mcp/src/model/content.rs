//! Results of calls, prompts and resource reads, block by block. A block that can't be read is kept as it stood and hides no other.

use serde_json::value::RawValue;

use crate::model::annotation::Annotations;
use crate::model::icon::{Icon, icons};
use crate::model::read;
use crate::params::{Raw, RawMap};

/// One content block.
#[derive(Debug, Clone)]
pub enum Block {
    /// Plain text.
    Text {
        /// The text.
        text: String,
        /// What the server claims about it.
        annotations: Option<Annotations>,
    },
    /// A picture.
    Image {
        /// Base64 data, not decoded.
        data: String,
        /// Its media type; empty where the server gave none.
        mime_type: String,
        /// What the server claims about it.
        annotations: Option<Annotations>,
    },
    /// A sound.
    Audio {
        /// Base64 data, not decoded.
        data: String,
        /// Its media type; empty where the server gave none.
        mime_type: String,
        /// What the server claims about it.
        annotations: Option<Annotations>,
    },
    /// A pointer to a resource.
    ResourceLink {
        /// Its address.
        uri: String,
        /// Its name; the address where the server gave none.
        name: String,
        /// The name for people.
        title: Option<String>,
        /// What it is.
        description: Option<String>,
        /// Its media type.
        mime_type: Option<String>,
        /// Its size in bytes, as claimed.
        size: Option<u64>,
        /// Pictures of it.
        icons: Vec<Icon>,
        /// What the server claims about it.
        annotations: Option<Annotations>,
    },
    /// A resource's contents.
    Resource {
        /// Its address.
        uri: String,
        /// Its media type.
        mime_type: Option<String>,
        /// The contents, where they are text.
        text: Option<String>,
        /// The contents in base64, where they are not.
        blob: Option<String>,
        /// What the server claims about it.
        annotations: Option<Annotations>,
    },
    /// A block of an unknown kind, or one that can't be read.
    Unknown {
        /// The kind it says it is; empty where it says none.
        kind: String,
        /// The block as it stood.
        raw: Raw,
        /// Why it is not one of the others.
        reason: String,
    },
}

/// The result of `tools/call`.
#[derive(Debug, Clone)]
pub struct CallToolResult {
    /// The blocks in order; empty where `content` is absent or null.
    pub content: Vec<Block>,
    /// The structured content, exactly as it stood.
    pub structured: Option<Raw>,
    /// True only where the server said `true`.
    pub is_error: bool,
}

/// The result of `prompts/get`.
#[derive(Debug, Clone)]
pub struct PromptResult {
    /// What the prompt is.
    pub description: Option<String>,
    /// Role and content of each message. A message with several blocks becomes several messages.
    pub messages: Vec<(String, Block)>,
}

/// The result of `resources/read`.
#[derive(Debug, Clone)]
pub struct ReadResult {
    /// The contents; each is [`Block::Resource`] or [`Block::Unknown`].
    pub contents: Vec<Block>,
}

impl Block {
    /// Reads one block; never fails.
    pub fn read(raw: &RawValue) -> Self {
        let map = match read::object(raw) {
            Ok(map) => map,
            Err(reason) => {
                return Self::Unknown {
                    kind: String::new(),
                    raw: raw.to_owned(),
                    reason,
                };
            }
        };
        let kind = map.text("type").unwrap_or_default();
        known(&kind, &map).unwrap_or_else(|reason| Self::Unknown {
            kind,
            raw: raw.to_owned(),
            reason,
        })
    }
}

impl CallToolResult {
    /// Reads the result.
    ///
    /// # Errors
    /// `content` is neither absent, null nor an array.
    pub fn read(map: &RawMap) -> Result<Self, String> {
        Ok(Self {
            content: blocks(map, "content")?.iter().map(|raw| Block::read(raw)).collect(),
            structured: map.get("structuredContent").map(ToOwned::to_owned),
            is_error: map.get("isError").is_some_and(|raw| raw.get() == "true"),
        })
    }
}

impl PromptResult {
    /// Reads the result.
    ///
    /// # Errors
    /// `messages` is neither absent, null nor an array.
    pub fn read(map: &RawMap) -> Result<Self, String> {
        let messages = blocks(map, "messages")?;
        Ok(Self {
            description: read::lenient(map, "description"),
            messages: messages.iter().flat_map(|raw| message(raw)).collect(),
        })
    }
}

impl ReadResult {
    /// Reads the result.
    ///
    /// # Errors
    /// `contents` is neither absent, null nor an array.
    pub fn read(map: &RawMap) -> Result<Self, String> {
        let contents = blocks(map, "contents")?;
        Ok(Self {
            contents: contents.iter().map(|raw| contents_of(raw)).collect(),
        })
    }
}

fn blocks(map: &RawMap, key: &str) -> Result<Vec<Raw>, String> {
    match read::present(map, key) {
        None => Ok(Vec::new()),
        Some(raw) => read::array(raw).map_err(|reason| format!("{key}: {reason}")),
    }
}

fn known(kind: &str, map: &RawMap) -> Result<Block, String> {
    let annotations = Annotations::within(map);
    match kind {
        "text" => Ok(Block::Text {
            text: read::required_text(map, "text")?,
            annotations,
        }),
        "image" => Ok(Block::Image {
            data: read::required_text(map, "data")?,
            mime_type: map.text("mimeType").unwrap_or_default(),
            annotations,
        }),
        "audio" => Ok(Block::Audio {
            data: read::required_text(map, "data")?,
            mime_type: map.text("mimeType").unwrap_or_default(),
            annotations,
        }),
        "resource_link" => {
            let uri = read::required_text(map, "uri")?;
            Ok(Block::ResourceLink {
                name: map.text("name").unwrap_or_else(|| uri.clone()),
                uri,
                title: map.text("title"),
                description: map.text("description"),
                mime_type: map.text("mimeType"),
                size: read::lenient(map, "size"),
                icons: icons(map),
                annotations,
            })
        }
        "resource" => {
            let inner = read::present(map, "resource").ok_or("resource is missing")?;
            resource(
                &read::object(inner).map_err(|reason| format!("resource: {reason}"))?,
                annotations,
            )
        }
        "" => Err("type is missing or not a string".into()),
        _ => Err("a kind of content that Gatehouse does not know".into()),
    }
}

fn resource(map: &RawMap, annotations: Option<Annotations>) -> Result<Block, String> {
    let text: Option<String> = read::lenient(map, "text");
    let blob: Option<String> = read::lenient(map, "blob");
    if text.is_none() && blob.is_none() {
        return Err("the resource has neither text nor blob".into());
    }
    Ok(Block::Resource {
        uri: read::required_text(map, "uri")?,
        mime_type: map.text("mimeType"),
        text,
        blob,
        annotations,
    })
}

fn contents_of(raw: &RawValue) -> Block {
    read::object(raw)
        .and_then(|map| resource(&map, Annotations::within(&map)))
        .unwrap_or_else(|reason| Block::Unknown {
            kind: "resource".into(),
            raw: raw.to_owned(),
            reason,
        })
}

fn message(raw: &RawValue) -> Vec<(String, Block)> {
    let unreadable = |reason: String| {
        vec![(
            String::new(),
            Block::Unknown {
                kind: "message".into(),
                raw: raw.to_owned(),
                reason,
            },
        )]
    };
    let map = match read::object(raw) {
        Ok(map) => map,
        Err(reason) => return unreadable(reason),
    };
    let role = map.text("role").unwrap_or_default();
    match read::present(&map, "content") {
        None => unreadable("content is missing".into()),
        Some(content) => match read::array(content) {
            Ok(blocks) => blocks.iter().map(|block| (role.clone(), Block::read(block))).collect(),
            Err(_) => vec![(role, Block::read(content))],
        },
    }
}
