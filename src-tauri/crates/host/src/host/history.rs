//! Intents about the history of calls.

use super::Host;
use crate::bounds;
use crate::changes::Part;
use crate::error::{HostError, Result};
use crate::history;
use crate::results::Fullness;
use crate::view::{CallRef, HistoryCall, HistoryRow};

pub use crate::store::history::{Look, Which};

impl Host {
    /// Lines of the history, newest first.
    ///
    /// # Errors
    /// The database refused.
    pub async fn history(&self, look: Look) -> Result<Vec<HistoryRow>> {
        self.core
            .blocking(move |core| {
                core.history.write();
                core.store.history(&look)
            })
            .await
    }

    /// One call of the history, whole.
    ///
    /// # Errors
    /// It is not kept, or the database refused.
    pub async fn history_call(&self, seq: u64, fullness: Fullness) -> Result<HistoryCall> {
        self.core
            .blocking(move |core| history::call(&core.store, &core.results, fullness, seq))
            .await
    }

    /// The call of the history that a row of the record names.
    ///
    /// # Errors
    /// It is not kept, or the database refused.
    pub async fn history_of(&self, call: CallRef, fullness: Fullness) -> Result<HistoryCall> {
        self.core
            .blocking(move |core| {
                core.history.write();
                let seq = core.store.history_of(call)?.ok_or_else(|| HostError::NotFound {
                    what: "such call in the history: it is still under way, was cleared, or its server's calls are not kept"
                        .into(),
                })?;
                history::call(&core.store, &core.results, fullness, seq)
            })
            .await
    }

    /// Lets calls of the history go, for good. Gives how many they were. The record stays.
    ///
    /// # Errors
    /// There is no call of this number, or the database refused.
    pub async fn clear_history(&self, which: Which) -> Result<u64> {
        let gone = self
            .core
            .blocking(move |core| {
                core.history.write();
                match (core.store.clear_history(&which)?, which) {
                    (0, Which::One(seq)) => Err(HostError::NotFound {
                        what: format!("call number {seq} in the history"),
                    }),
                    (gone, _) => Ok(gone),
                }
            })
            .await?;
        self.core.changes.ring(Part::History);
        Ok(gone)
    }

    /// The newest arguments that a tool or prompt was called with, each once, newest first; none where nothing is kept.
    ///
    /// # Errors
    /// The database refused.
    pub async fn recent_args(&self, server: &str, method: &str, target: &str) -> Result<Vec<String>> {
        let (server, method, target) = (server.to_owned(), method.to_owned(), target.to_owned());
        self.core
            .blocking(move |core| {
                core.history.write();
                core.store
                    .recent_args(&server, &method, &target, bounds::HISTORY_RECENT)
            })
            .await
    }
}
