//! How an exchange can end badly: errors of one request, and errors of a start. No text for a person beyond the facts.

pub mod known;

use std::time::Duration;

use bytes::Bytes;

use crate::params::Raw;

pub use known::Known;

/// A JSON-RPC error object as a server sent it.
#[derive(Debug, Clone)]
pub struct ErrorObject {
    /// The code as written, where it is a whole number that fits.
    pub code: i64,
    /// The message; empty where the server sent none.
    pub message: String,
    /// The raw `data` member.
    pub data: Option<Raw>,
}

/// Why one request did not get a usable reply. Every request ends in a reply or in one of these.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ExchangeError {
    /// The server answered with a JSON-RPC error.
    #[error("the server answered with error {}: {}", .0.code, .0.message)]
    Server(ErrorObject),
    /// The answer broke the protocol. The frame is at hand as it stood (its first bytes, where it was too long).
    #[error("the server's answer can't be read: {reason}")]
    BadReply {
        /// What is wrong with it.
        reason: String,
        /// The frame.
        frame: Bytes,
    },
    /// No answer within the limit; the request was cancelled.
    #[error("no answer within {}", seconds(*.limit))]
    TimedOut {
        /// The limit that ran out.
        limit: Duration,
    },
    /// The connection ended while the request was in flight.
    #[error("the connection ended: {reason}")]
    Closed {
        /// Exit status or transport failure, in words.
        reason: String,
    },
    /// Too many requests are in flight on this connection.
    #[error("too many requests are in flight")]
    Busy,
    /// The request is not part of this connection's era.
    #[error("{method} does not exist in this revision of the protocol")]
    NotInThisEra {
        /// The method.
        method: String,
    },
}

/// Why a connection could not be made.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ConnectError {
    /// The process could not be started.
    #[error("the command could not be started: {reason}")]
    Spawn {
        /// What the system said.
        reason: String,
        /// True when the program was not found.
        not_found: bool,
    },
    /// The process ended before it answered.
    #[error("the server ended before it answered: {status}")]
    Exited {
        /// Exit code or signal, in words.
        status: String,
    },
    /// No good answer within the start limit.
    #[error("the server did not answer within {}", seconds(*.limit))]
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The server speaks none of our revisions.
    #[error("the server supports {}, none of which Gatehouse speaks", list(.offered))]
    NoCommonVersion {
        /// What it offered.
        offered: Vec<String>,
    },
    /// The server knows nothing of the modern revisions, and no other may be spoken.
    #[error("the server does not speak the modern protocol (2026-07-28 or later), and its settings allow no other")]
    NotModern,
    /// The server refused the handshake.
    #[error("the server refused the handshake: error {}: {}", .0.code, .0.message)]
    Refused(ErrorObject),
    /// The handshake's answer can't be read.
    #[error("the server's first answer can't be read: {reason}")]
    BadReply {
        /// What is wrong with it.
        reason: String,
    },
}

fn seconds(limit: Duration) -> String {
    format!("{} s", (limit.as_secs_f64() * 1000.0).round() / 1000.0)
}

fn list(versions: &[String]) -> String {
    if versions.is_empty() {
        "no revision that it names".into()
    } else {
        versions.join(", ")
    }
}
