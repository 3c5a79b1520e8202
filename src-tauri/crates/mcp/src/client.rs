//! One ready connection: requests and their ends, listings, what is declared. How it came to be is `era`'s business.

mod cache;
mod changes;
mod declared;
mod event;
mod fetching;
mod inbound;
mod link;
mod list;
mod listen;
mod logging;
mod mailbox;
mod outcome;
mod outgoing;
mod pending;
mod reading;
mod responder;
mod sink;
#[cfg(test)]
mod tests;
mod ticket;
mod writing;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::bounds;
use crate::error::ExchangeError;
use crate::model::icon::Icon;
use crate::params::{Params, Raw, RawMap};

pub use cache::{Cache, CacheScope, Clock, Freshness, Kept, Mark};
pub use changes::Filter;
pub use declared::Declared;
pub use event::{Event, ServerRequest};
pub use fetching::{Fetched, Source};
pub(crate) use link::Link;
pub use listen::Subscription;
pub use logging::LogSetting;
pub use mailbox::SubscriptionEnd;
pub use outcome::Outcome;
pub(crate) use outgoing::initialize;
pub(crate) use pending::GivenUp;
pub use pending::ProgressSink;
pub use responder::Responder;
pub(crate) use ticket::Ticket;

/// Whether a connection is stateless or has a handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EraKind {
    /// 2026-07-28 and later: `_meta` on every request.
    Modern,
    /// Up to 2025-11-25: `initialize`.
    Legacy,
}

/// The era of a connection and the revision in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Era {
    /// The kind.
    pub kind: EraKind,
    /// The revision.
    pub version: String,
}

/// Who we say we are.
#[derive(Debug, Clone)]
pub struct ClientInfo {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// The version.
    pub version: String,
}

/// What a server says of itself. Unverified; empty where it says nothing.
#[derive(Debug, Clone, Default)]
pub struct ServerIdentity {
    /// The name for programs.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// The version.
    pub version: String,
    /// What it is.
    pub description: Option<String>,
    /// Its place on the web.
    pub website_url: Option<String>,
    /// Pictures of it.
    pub icons: Vec<Icon>,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// What it offers.
    pub capabilities: RawMap,
}

/// How long a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Without an answer or progress.
    pub idle: Duration,
    /// Progress or not.
    pub max: Duration,
    /// Whether progress is asked for.
    pub progress: bool,
}

/// A good answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The result; an object.
    pub result: Raw,
    /// The frame that it came in.
    pub frame: Bytes,
}

/// One ready connection. Clones share it.
#[derive(Clone)]
pub struct Client {
    link: Arc<Link>,
    about: Arc<About>,
}

struct About {
    era: Era,
    identity: ServerIdentity,
}

impl Limit {
    /// For listings and other small requests.
    pub const LIST: Self = Self {
        idle: bounds::LIST_LIMIT,
        max: bounds::LIST_LIMIT,
        progress: false,
    };
    /// For calls.
    pub const CALL: Self = Self {
        idle: bounds::CALL_IDLE,
        max: bounds::CALL_MAX,
        progress: true,
    };

    /// A fixed time, without progress.
    pub const fn within(time: Duration) -> Self {
        Self {
            idle: time,
            max: time,
            progress: false,
        }
    }
}

impl Client {
    /// A client on a link whose era is settled.
    pub(crate) fn new(link: Arc<Link>, era: Era, identity: ServerIdentity) -> Self {
        Self {
            link,
            about: Arc::new(About { era, identity }),
        }
    }

    /// The era.
    pub fn era(&self) -> &Era {
        &self.about.era
    }

    /// What the server says of itself.
    pub fn identity(&self) -> &ServerIdentity {
        &self.about.identity
    }

    /// Changes what is declared, from the next modern request on. On a legacy connection what `initialize` declared stays.
    pub fn declare(&self, declared: Declared) {
        self.link.declare(declared);
    }

    /// What is declared at this moment.
    pub fn declared(&self) -> Declared {
        self.link.declared()
    }

    /// Sends one request and waits for its end. On a modern connection `_meta` is written here and replaces any in `params`.
    /// Dropping the future cancels the request: a server that was sent it is told.
    ///
    /// # Errors
    /// See [`ExchangeError`]; every request ends.
    pub async fn request(&self, method: &str, params: Params, limit: Limit) -> Result<Reply, ExchangeError> {
        self.link.request(method, &params, limit).await
    }

    /// Like [`Client::request`], and asks for progress, whatever the limit says. The latest progress of this request stands in
    /// the channel; what nobody looked at in time is replaced.
    ///
    /// # Errors
    /// See [`ExchangeError`]; every request ends.
    pub async fn request_with(
        &self,
        method: &str,
        params: Params,
        limit: Limit,
        progress: ProgressSink,
    ) -> Result<Reply, ExchangeError> {
        let limit = Limit {
            progress: true,
            ..limit
        };
        self.link.request_with(method, &params, limit, Some(progress)).await
    }

    /// Sends a notification, on a legacy connection only; resolves once it was written.
    ///
    /// # Errors
    /// [`ExchangeError::NotInThisEra`] on a modern connection, where nothing is written; [`ExchangeError::Closed`].
    pub async fn notify(&self, method: &str, params: Option<Params>) -> Result<(), ExchangeError> {
        match self.about.era.kind {
            EraKind::Modern => Err(ExchangeError::NotInThisEra {
                method: method.to_owned(),
            }),
            EraKind::Legacy => self.link.notify(method, params.as_ref()).await,
        }
    }

    /// True once the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.link.is_closed()
    }

    /// Resolves when the connection has ended, or nothing more can come over it.
    pub async fn ended(&self) {
        self.link.output_ended().await;
    }
}
