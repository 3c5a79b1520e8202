//! A prompt as a server lists it. What it expands to is in `content`.

use crate::model::icon::{Icon, icons};
use crate::model::listing::Item;
use crate::model::read;
use crate::params::{Raw, RawMap};

/// One prompt.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// The name that a request uses.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What it takes.
    pub arguments: Vec<PromptArgument>,
    /// Pictures of it.
    pub icons: Vec<Icon>,
    /// The prompt as it stood.
    pub raw: Raw,
}

/// One argument of a prompt.
#[derive(Debug, Clone)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
}

impl Item for Prompt {
    const METHOD: &'static str = "prompts/list";
    const MEMBER: &'static str = "prompts";

    fn read(map: &RawMap, raw: Raw) -> Result<Self, String> {
        let arguments = match read::present(map, "arguments") {
            None => Vec::new(),
            Some(list) => read::array(list)
                .map_err(|reason| format!("arguments: {reason}"))?
                .iter()
                .map(|item| argument(&read::object(item)?))
                .collect::<Result<_, _>>()?,
        };
        Ok(Self {
            name: read::required_text(map, "name")?,
            title: read::lenient(map, "title"),
            description: read::lenient(map, "description"),
            arguments,
            icons: icons(map),
            raw,
        })
    }
}

fn argument(map: &RawMap) -> Result<PromptArgument, String> {
    Ok(PromptArgument {
        name: read::required_text(map, "name").map_err(|reason| format!("an argument: {reason}"))?,
        title: read::lenient(map, "title"),
        description: read::lenient(map, "description"),
        required: read::lenient(map, "required").unwrap_or(false),
    })
}
