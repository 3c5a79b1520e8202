//! A tool as a server lists it. Schemas stay raw: judging them is not done here.

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
    /// Hints, unverified.
    pub annotations: Option<Raw>,
    /// The tool as it stood.
    pub raw: Raw,
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
            raw,
        })
    }
}
