//! What a server claims about its tools and its content. Claims, all of them: nothing here is verified.

use serde_json::value::RawValue;

use crate::model::read;
use crate::params::RawMap;

/// Claims about a resource or a block of content.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// Whom it is for: `user`, `assistant`, or something else.
    pub audience: Vec<String>,
    /// How much it matters, from 0 to 1.
    pub priority: Option<f64>,
    /// When it changed last, as the server wrote it.
    pub last_modified: Option<String>,
}

/// Claims about a tool; `None` where the server claims nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolHints {
    /// The name for people.
    pub title: Option<String>,
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// What it changes may be lost.
    pub destructive: Option<bool>,
    /// The same call again changes nothing more.
    pub idempotent: Option<bool>,
    /// It deals with the world outside.
    pub open_world: Option<bool>,
}

impl Annotations {
    /// The annotations in `map`, where there are some.
    pub(crate) fn within(map: &RawMap) -> Option<Self> {
        let map = read::object(read::present(map, "annotations")?).ok()?;
        Some(Self {
            audience: read::texts(&map, "audience"),
            priority: read::lenient(&map, "priority").filter(|priority| (0.0..=1.0).contains(priority)),
            last_modified: map.text("lastModified"),
        })
    }
}

impl ToolHints {
    /// Reads a tool's annotations.
    pub(crate) fn read(raw: Option<&RawValue>) -> Self {
        let map = raw.and_then(|raw| read::object(raw).ok()).unwrap_or_default();
        Self {
            title: map.text("title"),
            read_only: read::lenient(&map, "readOnlyHint"),
            destructive: read::lenient(&map, "destructiveHint"),
            idempotent: read::lenient(&map, "idempotentHint"),
            open_world: read::lenient(&map, "openWorldHint"),
        }
    }
}
