//! What can go wrong at the front door, with a code only where somebody acts on it. Not the errors of an exchange: those
//! are wrapped here with the name of the server.

use std::time::Duration;

use gatehouse_mcp::error::known::Known;
use gatehouse_mcp::error::{ConnectError, ExchangeError};
use serde::Serialize;

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Code {
    /// No such server, folder, grant, tool.
    NotFound,
    /// The input can't be used.
    Invalid,
    /// The name is taken.
    Exists,
    /// Somebody else changed the file in between.
    Conflict,
    /// No native picker answers on this desktop.
    NoPicker,
    /// The question is no longer open.
    Gone,
    /// The definition was not allowed to start.
    NotTrusted,
    /// The server did not start.
    StartFailed,
    /// The server answered with an error.
    ServerError,
    /// The server's answer can't be read.
    BadReply,
    /// A time limit ran out.
    TimedOut,
    /// The connection ended.
    Closed,
    /// Too much at once.
    Busy,
    /// The person ended the call.
    Cancelled,
    /// The server broke the protocol.
    Protocol,
    /// The disk or the database refused.
    Storage,
    /// Not part of the protocol revision in use.
    NotInThisEra,
    /// The server no longer knows the call; it can be made again.
    Forgot,
}

/// An error of the host's.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// No such thing.
    #[error("there is no {what}")]
    NotFound {
        /// What was looked for, with its name.
        what: String,
    },
    /// The input can't be used.
    #[error("{reason}")]
    Invalid {
        /// What is wrong and what would be right.
        reason: String,
    },
    /// The name is taken.
    #[error("{what} is there already")]
    Exists {
        /// What is there.
        what: String,
    },
    /// Another program changed the file.
    #[error("{path} was changed by another program just now; nothing was written. Try again")]
    Conflict {
        /// The file.
        path: String,
    },
    /// The question was answered, withdrawn or expired.
    #[error("the question is no longer open")]
    Gone,
    /// The person has not allowed the definition.
    #[error("server {server} was not started: {reason}")]
    NotTrusted {
        /// The server.
        server: String,
        /// Why, and what would allow it.
        reason: String,
    },
    /// The server did not start.
    #[error("server {server} did not start: {source}")]
    Start {
        /// The server.
        server: String,
        /// Why.
        source: ConnectError,
    },
    /// A request to the server failed.
    #[error("server {server}: {source}{}", .meaning.as_deref().map(|words| format!(" ({words})")).unwrap_or_default())]
    Exchange {
        /// The server.
        server: String,
        /// What the server's error means and what can be done, where it is one that is known.
        meaning: Option<String>,
        /// Why.
        source: ExchangeError,
    },
    /// The server no longer knows the call that it asked for input to.
    #[error(
        "server {server} no longer knows this call: what it asked to be given back was refused ({words}). The answers you gave were for nothing; call again, remembered decisions still stand"
    )]
    Forgot {
        /// The server.
        server: String,
        /// The server's words.
        words: String,
    },
    /// The server gave neither an answer nor progress for as long as it may.
    #[error(
        "server {server} gave no answer and no progress for {}, which is the time limit; it was told to stop. {}", seconds(*.limit), undone(*.told)
    )]
    Silent {
        /// The server.
        server: String,
        /// The limit.
        limit: Duration,
        /// True when something left for it in this call.
        told: bool,
    },
    /// The call lasted as long as one may.
    #[error(
        "the call to server {server} was ended: it lasted {}, not counting your time, which is the longest call of the settings; it was told to stop. {}", seconds(*.limit), undone(*.told)
    )]
    TooLong {
        /// The server.
        server: String,
        /// The limit.
        limit: Duration,
        /// True when something left for it in this call.
        told: bool,
    },
    /// The server broke the protocol.
    #[error("server {server} broke the protocol: {reason}")]
    Protocol {
        /// The server.
        server: String,
        /// How.
        reason: String,
    },
    /// A remembered decision was revoked, or a "never" given, between the decision and the moment that folders were to leave.
    #[error(
        "a remembered decision on server {server} was changed just now, so nothing was sent; call again to decide anew"
    )]
    Withdrawn {
        /// The server.
        server: String,
    },
    /// The person ended the call.
    #[error(
        "the call was cancelled and server {server} was asked to stop. What it had done by then stays done, and what it was told it knows; the record shows what left"
    )]
    Cancelled {
        /// The server.
        server: String,
    },
    /// The disk or the database refused.
    #[error("{what}: {reason}")]
    Storage {
        /// What was to be read or written.
        what: String,
        /// What the system said.
        reason: String,
    },
}

/// Results of the host.
pub type Result<T, E = HostError> = std::result::Result<T, E>;

impl HostError {
    /// A failed request of a method, with what a known error means.
    pub fn exchange(server: &str, method: &str, source: ExchangeError) -> Self {
        let meaning = match &source {
            ExchangeError::Server(error) => meaning(&error.known(method)),
            _ => None,
        };
        Self::Exchange {
            server: server.to_owned(),
            meaning,
            source,
        }
    }

    /// The code for whoever acts on it.
    pub fn code(&self) -> Code {
        match self {
            Self::NotFound { .. } => Code::NotFound,
            Self::Invalid { .. } => Code::Invalid,
            Self::Exists { .. } => Code::Exists,
            Self::Conflict { .. } | Self::Withdrawn { .. } => Code::Conflict,
            Self::Gone => Code::Gone,
            Self::NotTrusted { .. } => Code::NotTrusted,
            Self::Start { .. } => Code::StartFailed,
            Self::Exchange { source, .. } => match source {
                ExchangeError::Server(_) => Code::ServerError,
                ExchangeError::BadReply { .. } => Code::BadReply,
                ExchangeError::TimedOut { .. } => Code::TimedOut,
                ExchangeError::Closed { .. } => Code::Closed,
                ExchangeError::Busy => Code::Busy,
                ExchangeError::NotInThisEra { .. } => Code::NotInThisEra,
            },
            Self::Silent { .. } | Self::TooLong { .. } => Code::TimedOut,
            Self::Forgot { .. } => Code::Forgot,
            Self::Protocol { .. } => Code::Protocol,
            Self::Cancelled { .. } => Code::Cancelled,
            Self::Storage { .. } => Code::Storage,
        }
    }

    /// The error as a page gets it; text of a server's in it is made harmless.
    pub fn view(&self) -> crate::view::ErrorView {
        crate::view::ErrorView {
            code: self.code(),
            message: crate::harmless::text(&self.to_string()),
        }
    }
}

fn seconds(limit: Duration) -> String {
    format!("{} s", (limit.as_secs_f64() * 1000.0).round() / 1000.0)
}

/// What no limit can take back.
fn undone(told: bool) -> &'static str {
    if told {
        "What it has done by then is not undone, and what it was told in this call stays told"
    } else {
        "What it has done by then is not undone"
    }
}

/// What an error means beyond the server's own words, and what can be done; none where its words say it.
fn meaning(known: &Known) -> Option<String> {
    match known {
        Known::MissingCapability { required, .. } if required.iter().any(|name| name == "roots") => {
            Some("it needs folders, which are not offered to it; switch the offer on and call again".into())
        }
        Known::MissingCapability { .. } | Known::ResourceNotFound { .. } | Known::ResourceRefused => known.words(),
        Known::HeaderMismatch
        | Known::UnsupportedVersion { .. }
        | Known::UrlElicitationRequired { .. }
        | Known::InvalidParams
        | Known::MethodNotFound
        | Known::Other => None,
    }
}
