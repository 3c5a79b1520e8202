//! One ready connection: requests and their ends, listings, what is declared. How it came to be is `era`'s business.

mod event;
mod inbound;
mod link;
mod list;
mod outcome;
mod outgoing;
mod pending;
mod reading;
mod responder;
mod sink;
#[cfg(test)]
mod tests;
mod writing;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::bounds;
use crate::error::ExchangeError;
use crate::model::listing::Listing;
use crate::model::prompt::Prompt;
use crate::model::resource::{Resource, ResourceTemplate};
use crate::model::tool::Tool;
use crate::params::{Params, Raw, RawMap};

pub use event::{Event, ServerRequest};
pub(crate) use link::{Link, Ticket};
pub use outcome::Outcome;
pub(crate) use outgoing::initialize;
pub(crate) use pending::GivenUp;
pub use responder::Responder;

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

/// What is declared to the server. One source: read for every modern request and for `initialize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// Roots are answered.
    pub roots: bool,
    /// Forms are answered.
    pub elicitation_form: bool,
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

    /// All tools.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_tools(&self) -> Result<Listing<Tool>, ExchangeError> {
        list::all(self).await
    }

    /// All prompts.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_prompts(&self) -> Result<Listing<Prompt>, ExchangeError> {
        list::all(self).await
    }

    /// All resources.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_resources(&self) -> Result<Listing<Resource>, ExchangeError> {
        list::all(self).await
    }

    /// All resource templates.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_resource_templates(&self) -> Result<Listing<ResourceTemplate>, ExchangeError> {
        list::all(self).await
    }

    /// True once the connection has ended.
    pub fn is_closed(&self) -> bool {
        self.link.is_closed()
    }
}
