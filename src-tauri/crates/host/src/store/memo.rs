//! Roots and grants as they were last read, good until somebody writes: a call that a grant answers does not ask the
//! database what it said a moment ago. Everything here happens while the database is held.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use rusqlite::Connection;

use super::{Store, data_version};
use crate::grant::Grant;
use crate::root::Root;
use crate::server::Fingerprint;

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The state of the database that it was read from.
    version: i64,
    pub(super) roots: Option<Vec<Root>>,
    pub(super) grants: HashMap<Fingerprint, Vec<Grant>>,
}

impl Store {
    /// What is remembered of the database as it is now: empty where another process wrote since.
    pub(super) fn memo(&self, db: &Connection) -> rusqlite::Result<MutexGuard<'_, Memo>> {
        let version = data_version(db)?;
        let mut memo = self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        if memo.version != version {
            *memo = Memo {
                version,
                ..Memo::default()
            };
        }
        Ok(memo)
    }

    /// This process is about to write.
    pub(super) fn forget(&self) {
        *self.memo.lock().unwrap_or_else(PoisonError::into_inner) = Memo::default();
    }
}
