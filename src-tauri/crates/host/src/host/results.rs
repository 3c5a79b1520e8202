//! The front door to kept results: looks at one of them, away from the tasks that serve connections.

use super::Host;
use crate::error::{HostError, Result};
use crate::results::{self, Kept};
use crate::view::{BlockView, PartView, SortInput, TableForm};

impl Host {
    /// Looks at a kept result.
    ///
    /// # Errors
    /// It is no longer kept, or those of the look.
    pub async fn of_result<T: Send + 'static>(
        &self,
        number: u64,
        look: impl FnOnce(&Kept) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let kept = self.core.results.get(number)?;
        let looked = tokio::task::spawn_blocking(move || look(&kept)).await;
        looked.unwrap_or_else(|error| {
            Err(HostError::Storage {
                what: "a kept result".into(),
                reason: error.to_string(),
            })
        })
    }

    /// Further blocks of a kept result, from one on.
    ///
    /// # Errors
    /// It is no longer kept.
    pub async fn result_blocks(&self, number: u64, from: usize) -> Result<Vec<BlockView>> {
        self.of_result(number, move |kept| Ok(results::blocks(number, kept, from)))
            .await
    }

    /// The exact bytes of a part, to be saved: text as the server wrote it, data decoded.
    ///
    /// # Errors
    /// It is no longer kept, or the part is none.
    pub async fn result_bytes(&self, number: u64, part: PartView) -> Result<Vec<u8>> {
        self.of_result(number, move |kept| kept.bytes(part)).await
    }

    /// The table of a kept result, to be saved, in the order that is seen.
    ///
    /// # Errors
    /// It is no longer kept, or no table.
    pub async fn result_table(&self, number: u64, by: Option<SortInput>, form: TableForm) -> Result<Vec<u8>> {
        self.of_result(number, move |kept| kept.table_text(by, form).map(String::into_bytes))
            .await
    }
}
