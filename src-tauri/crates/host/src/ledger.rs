//! The ledger: what was asked, what was answered, what left. The only maker of [`Disclosed`], the value that every
//! response to a server is built from, so that nothing leaves that is not on the disk first.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use gatehouse_mcp::params::Raw;

use crate::changes::{Changes, Part};
use crate::error::Result;
use crate::grant::NewGrant;
use crate::question::Asker;
use crate::store::Store;
use crate::view::{CallRef, DecidedBy, DisclosedFolder, Outcome, WithheldFolder};

/// A response that stands in the record. It can be made by [`Ledger::commit`] only.
#[derive(Debug)]
pub struct Disclosed(Raw);

/// The ledger.
#[derive(Debug)]
pub struct Ledger {
    store: Arc<Store>,
    changes: Arc<Changes>,
    nanoseconds: AtomicU64,
}

/// How a request reached us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// `roots/list` in an `input_required` result.
    RootsInput,
    /// `roots/list` as a request of a legacy server.
    RootsRequest,
    /// `elicitation/create` in an `input_required` result.
    FormInput,
    /// `elicitation/create` as a request of a legacy server.
    FormRequest,
    /// A page of `elicitation/create` in an `input_required` result.
    LinkInput,
    /// A page of `elicitation/create` as a request of a legacy server.
    LinkRequest,
    /// A page that a legacy server's error says must be visited first.
    LinkError,
    /// `sampling/createMessage` in an `input_required` result.
    SampleInput,
    /// `sampling/createMessage` as a request of a legacy server.
    SampleRequest,
    /// What the model endpoint is asked.
    Endpoint,
    /// An input request that was not offered.
    OtherInput,
    /// A call.
    Call,
}

/// One row to be.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Who asked.
    pub asker: Arc<Asker>,
    /// How.
    pub channel: Channel,
    /// The call's method and target, made harmless.
    pub occasion: Option<String>,
    /// The call, where there is one.
    pub call: Option<CallRef>,
    /// The round, from 1.
    pub round: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// Roots that leave.
    pub folders: Vec<DisclosedFolder>,
    /// Roots that were allowed and stay.
    pub withheld: Vec<WithheldFolder>,
    /// The response that leaves; none where nothing does.
    pub sent: Option<Raw>,
    /// More, in words.
    pub note: Option<String>,
}

impl Ledger {
    /// The ledger over a store.
    pub fn new(store: Arc<Store>, changes: Arc<Changes>) -> Self {
        Self {
            store,
            changes,
            nanoseconds: AtomicU64::new(0),
        }
    }

    /// Writes rows, with the grants given at the same moment, and returns when they are on the disk. Gives back what may
    /// now leave, in the order of the rows that have something to send. Blocks for the disk.
    ///
    /// # Errors
    /// The disk refused; nothing may leave.
    pub fn commit(&self, entries: &[Entry], grants: &[NewGrant]) -> Result<Vec<Disclosed>> {
        let began = Instant::now();
        let added = self.store.add_record(entries, grants);
        let took = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(took, Ordering::Relaxed);
        added?;
        self.changes.ring(Part::Record);
        if !grants.is_empty() {
            self.changes.ring(Part::Grants);
        }
        Ok(entries
            .iter()
            .filter_map(|entry| entry.sent.clone())
            .map(Disclosed)
            .collect())
    }
}

impl Ledger {
    /// How long it has been committing, in all.
    pub fn spent(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

impl Disclosed {
    /// The response, to be written now.
    pub fn into_raw(self) -> Raw {
        self.0
    }
}

impl Channel {
    /// Its name in the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RootsInput => "roots/list (input request)",
            Self::RootsRequest => "roots/list (server request)",
            Self::FormInput => "elicitation/create (input request)",
            Self::FormRequest => "elicitation/create (server request)",
            Self::LinkInput => "elicitation/create, link (input request)",
            Self::LinkRequest => "elicitation/create, link (server request)",
            Self::LinkError => "link to be visited first (error)",
            Self::SampleInput => "sampling/createMessage (input request)",
            Self::SampleRequest => "sampling/createMessage (server request)",
            Self::Endpoint => "model endpoint",
            Self::OtherInput => "input request",
            Self::Call => "call",
        }
    }
}
