//! A tool as a server lists it. Schemas stay raw: judging them is not done here.

use crate::model::annotation::ToolHints;
use crate::model::icon::{Icon, icons};
use crate::model::listing::Item;
use crate::model::read;
use crate::params::{Raw, RawMap};

/// One tool.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The name that a call uses.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The schema of its arguments; `{"type":"object"}` where the server gave none.
    pub input_schema: Raw,
    /// The schema of its structured result.
    pub output_schema: Option<Raw>,
    /// Hints, unverified; [`Tool::hints`] reads them.
    pub annotations: Option<Raw>,
    /// Pictures of it.
    pub icons: Vec<Icon>,
    /// The tool as it stood.
    pub raw: Raw,
}

impl Tool {
    /// What the server claims about it.
    pub fn hints(&self) -> ToolHints {
        ToolHints::read(self.annotations.as_deref())
    }

    /// The name for people: its title, else the title among its hints, else its name.
    pub fn label(&self) -> String {
        let title = self.title.clone().or_else(|| self.hints().title);
        title.unwrap_or_else(|| self.name.clone())
    }
}

impl Item for Tool {
    const METHOD: &'static str = "tools/list";
    const MEMBER: &'static str = "tools";

    fn read(map: &RawMap, raw: Raw) -> Result<Self, String> {
        let input_schema = match read::present(map, "inputSchema") {
            Some(schema) if schema.get().starts_with('{') => schema.to_owned(),
            Some(_) => return Err("inputSchema is not an object".into()),
            None => RawMap::new().with("type", &"object").to_raw(),
        };
        Ok(Self {
            name: read::required_text(map, "name")?,
            title: read::lenient(map, "title"),
            description: read::lenient(map, "description"),
            input_schema,
            output_schema: read::raw(map, "outputSchema"),
            annotations: read::raw(map, "annotations"),
            icons: icons(map),
            raw,
        })
    }
}
