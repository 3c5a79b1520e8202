//! What a connection tells the host on its own: one ordered, bounded stream. Not for answers to our requests.

use bytes::Bytes;

use super::responder::Responder;
use crate::frame::RequestId;
use crate::params::Raw;

/// Something that happened on a connection.
#[derive(Debug)]
pub enum Event {
    /// A legacy server asks.
    Request(ServerRequest),
    /// A server tells.
    Notification {
        /// Its method.
        method: String,
        /// Its params, as they stood.
        params: Option<Raw>,
    },
    /// Something that the protocol does not allow: a request on a modern connection, a reply to nobody, an unreadable frame.
    Violation {
        /// What is wrong.
        what: String,
        /// The frame (its first bytes, where it was too long).
        frame: Bytes,
    },
    /// Events that did not fit into the queue since the last one.
    Dropped(u64),
    /// The connection ended. Always the last event.
    Ended {
        /// Why, in words.
        reason: String,
        /// True where we ended it.
        expected: bool,
    },
}

/// A request of a legacy server.
#[derive(Debug)]
pub struct ServerRequest {
    /// Its id, in the server's own numbering.
    pub id: RequestId,
    /// Its method.
    pub method: String,
    /// Its params as they stood; absent, `{}` and `null` all occur.
    pub params: Option<Raw>,
    /// Where the answer goes. Dropping it answers with an error.
    pub responder: Responder,
}
