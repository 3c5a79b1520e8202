//! The envelope of JSON-RPC: one frame in, its messages out, payloads left raw. No ids are matched and nothing is sent here.

mod scan;
mod shape;

use serde::{Serialize, Serializer};

use crate::error::ErrorObject;
use crate::params::Raw;

pub use scan::{Glance, GlanceKind, glance};
pub(crate) use scan::{sniff, sniff_cut};

#[cfg(test)]
mod tests;

/// The id of a request, as its sender wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RequestId {
    /// A whole number.
    Number(i64),
    /// A string.
    Text(String),
}

/// One JSON-RPC message.
#[derive(Debug, Clone)]
pub enum Envelope {
    /// A request; it wants an answer.
    Request {
        /// Its id.
        id: RequestId,
        /// Its method.
        method: String,
        /// Its params, as they stood.
        params: Option<Raw>,
    },
    /// A notification.
    Notification {
        /// Its method.
        method: String,
        /// Its params, as they stood.
        params: Option<Raw>,
    },
    /// A good answer. Its result is an object.
    Result {
        /// The id of the request.
        id: RequestId,
        /// The result, as it stood.
        result: Raw,
    },
    /// A bad answer.
    Error {
        /// The id of the request; `None` where it is null or absent.
        id: Option<RequestId>,
        /// The error.
        error: ErrorObject,
    },
}

/// A frame, or a message of a batch, that is not a JSON-RPC message.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{reason}")]
pub struct BadFrame {
    /// What is wrong with it.
    pub reason: String,
    /// The id of the answer that it seems to be.
    pub id: Option<RequestId>,
    /// True where it seems to be an answer whose id is null, absent or can't be read.
    pub nameless: bool,
}

/// Decodes one frame; more than one message comes out only of a batch.
///
/// # Errors
/// The frame, or any message of a batch, is not a JSON-RPC message.
pub fn decode(bytes: &[u8]) -> Result<Vec<Envelope>, BadFrame> {
    decode_each(bytes).into_iter().collect()
}

/// True where the frame is a batch.
pub(crate) fn is_batch(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[')
}

/// Decodes one frame, message by message.
pub(crate) fn decode_each(bytes: &[u8]) -> Vec<Result<Envelope, BadFrame>> {
    if is_batch(bytes) {
        shape::batch(bytes)
    } else {
        vec![shape::single(bytes)]
    }
}

impl std::fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Text(text) => write!(formatter, "{text:?}"),
        }
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}
