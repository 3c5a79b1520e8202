//! Resources and resource templates as a server lists them. Nothing here reads one.

use crate::model::annotation::Annotations;
use crate::model::icon::{Icon, icons};
use crate::model::listing::Item;
use crate::model::read;
use crate::params::{Raw, RawMap};

/// One resource.
#[derive(Debug, Clone)]
pub struct Resource {
    /// Its address, as the server wrote it.
    pub uri: String,
    /// Its name; the address where the server gave none.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Its media type.
    pub mime_type: Option<String>,
    /// Its size in bytes, as claimed.
    pub size: Option<u64>,
    /// What the server claims about it.
    pub annotations: Option<Annotations>,
    /// Pictures of it.
    pub icons: Vec<Icon>,
    /// The resource as it stood.
    pub raw: Raw,
}

/// A pattern of resource addresses.
#[derive(Debug, Clone)]
pub struct ResourceTemplate {
    /// The pattern (RFC 6570).
    pub uri_template: String,
    /// Its name; the pattern where the server gave none.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Media type of what it yields.
    pub mime_type: Option<String>,
    /// What the server claims about it.
    pub annotations: Option<Annotations>,
    /// Pictures of it.
    pub icons: Vec<Icon>,
    /// The template as it stood.
    pub raw: Raw,
}

impl Item for Resource {
    const METHOD: &'static str = "resources/list";
    const MEMBER: &'static str = "resources";

    fn read(map: &RawMap, raw: Raw) -> Result<Self, String> {
        let uri = read::required_text(map, "uri")?;
        Ok(Self {
            name: read::lenient(map, "name").unwrap_or_else(|| uri.clone()),
            uri,
            title: read::lenient(map, "title"),
            description: read::lenient(map, "description"),
            mime_type: read::lenient(map, "mimeType"),
            size: read::lenient(map, "size"),
            annotations: Annotations::within(map),
            icons: icons(map),
            raw,
        })
    }
}

impl Item for ResourceTemplate {
    const METHOD: &'static str = "resources/templates/list";
    const MEMBER: &'static str = "resourceTemplates";

    fn read(map: &RawMap, raw: Raw) -> Result<Self, String> {
        let uri_template = read::required_text(map, "uriTemplate")?;
        Ok(Self {
            name: read::lenient(map, "name").unwrap_or_else(|| uri_template.clone()),
            uri_template,
            title: read::lenient(map, "title"),
            description: read::lenient(map, "description"),
            mime_type: read::lenient(map, "mimeType"),
            annotations: Annotations::within(map),
            icons: icons(map),
            raw,
        })
    }
}
