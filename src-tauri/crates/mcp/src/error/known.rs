//! What the protocol's own error codes mean, with what stands in their data. An unknown code is no less an error.

use super::ErrorObject;
use crate::model::elicit::{self, Elicit};
use crate::model::read;
use crate::params::{Raw, RawMap};

/// `HeaderMismatch`: only a modern server knows it.
pub(crate) const HEADER_MISMATCH: i64 = -32020;
/// `MissingRequiredClientCapability`: only a modern server knows it.
pub(crate) const MISSING_CAPABILITY: i64 = -32021;
/// `UnsupportedProtocolVersion`: only a modern server knows it.
pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;
/// What drafts of the revision called `MissingRequiredClientCapability`. Others may use it for anything, so its words count too.
const MISSING_CAPABILITY_DRAFT: i64 = -32003;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const RESOURCE_NOT_FOUND: i64 = -32002;
const URL_ELICITATION: i64 = -32042;

/// An error by its meaning.
#[derive(Debug, Clone)]
pub enum Known {
    /// What was sent beside the message does not fit it.
    HeaderMismatch,
    /// The request needs something that was not declared. It is not to be sent again before it is.
    MissingCapability {
        /// What it needs, as paths such as `roots`, `elicitation.url`, `sampling.tools`; empty where the server did not say.
        required: Vec<String>,
        /// `requiredCapabilities` as it stood.
        raw: Option<Raw>,
    },
    /// The server does not speak the revision.
    UnsupportedVersion {
        /// The revision that it refused, as it says.
        requested: Option<String>,
        /// What it speaks.
        supported: Vec<String>,
    },
    /// Pages have to be visited first (2025-11-25).
    UrlElicitationRequired {
        /// Each page, or why it can't be read.
        elicitations: Vec<Result<Elicit, String>>,
    },
    /// There is no such resource.
    ResourceNotFound {
        /// Its address, as the server says.
        uri: Option<String>,
    },
    /// A resource was asked for, and its address was refused: on a modern connection that is how a missing one is told of.
    ResourceRefused,
    /// The params are wrong.
    InvalidParams,
    /// The server does not know the method.
    MethodNotFound,
    /// Anything else.
    Other,
}

impl ErrorObject {
    /// What the error means as the answer to a request with this method.
    pub fn known(&self, method: &str) -> Known {
        let data = self.data.as_ref().and_then(|data| read::object(data).ok());
        let data = data.unwrap_or_default();
        match self.code {
            HEADER_MISMATCH => Known::HeaderMismatch,
            code if code == MISSING_CAPABILITY
                || (code == MISSING_CAPABILITY_DRAFT && self.is_about_capabilities()) =>
            {
                let raw = read::raw(&data, "requiredCapabilities");
                let required = raw.as_ref().and_then(|raw| read::object(raw).ok());
                Known::MissingCapability {
                    required: required.as_ref().map(paths).unwrap_or_default(),
                    raw,
                }
            }
            UNSUPPORTED_VERSION => Known::UnsupportedVersion {
                requested: data.text("requested"),
                supported: read::texts(&data, "supported"),
            },
            URL_ELICITATION => Known::UrlElicitationRequired {
                elicitations: elicitations(&data),
            },
            RESOURCE_NOT_FOUND if method.starts_with("resources/") => Known::ResourceNotFound { uri: data.text("uri") },
            INVALID_PARAMS if method.starts_with("resources/") && method != "resources/list" => Known::ResourceRefused,
            INVALID_PARAMS => Known::InvalidParams,
            METHOD_NOT_FOUND => Known::MethodNotFound,
            _ => Known::Other,
        }
    }

    fn is_about_capabilities(&self) -> bool {
        let data = self.data.as_ref().and_then(|data| read::object(data).ok());
        data.is_some_and(|data| read::raw(&data, "requiredCapabilities").is_some())
            || self.message.to_lowercase().contains("capabilit")
    }
}

impl Known {
    /// The error in words; `None` where only the server's own words say what it is.
    pub fn words(&self) -> Option<String> {
        Some(match self {
            Self::HeaderMismatch => "the server says that the headers do not fit the message".into(),
            Self::MissingCapability { required, .. } if required.is_empty() => {
                "the server needs something that is not offered to it, and does not say what".into()
            }
            Self::MissingCapability { required, .. } => {
                format!("the server needs what is not offered to it: {}", required.join(", "))
            }
            Self::UnsupportedVersion { supported, .. } => {
                format!("the server speaks {}", super::list(supported))
            }
            Self::UrlElicitationRequired { elicitations } => {
                format!("the server wants {} to be visited first", pages(elicitations.len()))
            }
            Self::ResourceNotFound { uri: Some(uri) } => format!("the server has no resource {uri:?}"),
            Self::ResourceNotFound { uri: None } => "the server has no such resource".into(),
            Self::ResourceRefused => "the server has no such resource, or refuses its address".into(),
            Self::InvalidParams => "the server says that what was sent does not fit the method".into(),
            Self::MethodNotFound => "the server does not know the method".into(),
            Self::Other => return None,
        })
    }
}

/// What an object of capabilities names: `a` where `a` is empty, else `a.b` for each of its members.
fn paths(map: &RawMap) -> Vec<String> {
    let of = |(name, raw): (&str, &serde_json::value::RawValue)| match read::object(raw) {
        Ok(inner) if !inner.is_empty() => inner.iter().map(|(mode, _)| format!("{name}.{mode}")).collect(),
        Ok(_) | Err(_) => vec![name.to_owned()],
    };
    map.iter().flat_map(of).collect()
}

fn elicitations(data: &RawMap) -> Vec<Result<Elicit, String>> {
    let listed = read::present(data, "elicitations").and_then(|raw| read::array(raw).ok());
    let listed = listed.unwrap_or_default().into_iter();
    listed
        .take(crate::bounds::INPUT_REQUESTS)
        .map(|raw| read::object(&raw).and_then(|map| elicit::parse(&map)))
        .collect()
}

fn pages(count: usize) -> String {
    match count {
        1 => "a page".into(),
        count => format!("{count} pages"),
    }
}
