//! Results of calls, kept exactly as they came. A page gets a description with the beginnings and pulls the rest piece by
//! piece; copying and saving take from here. Bounded by count and by bytes: the oldest give way, the newest stays.

mod describe;
mod json;
mod kept;
mod rows;
mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::bounds;
use crate::error::{HostError, Result};

use gatehouse_mcp::params::RawMap;

use crate::view::{CheckView, ResultView, result_view};

pub use describe::{blocks, describe};
pub use kept::Kept;

/// What is said of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fullness {
    /// All of it, for a terminal or a script.
    Whole,
    /// Beginnings, and where the rest is kept, for a page.
    Described,
}

/// A result, read by the method that was asked; kept where it is only described.
///
/// # Errors
/// What can't be read, in words.
pub fn view(
    results: &Results,
    fullness: Fullness,
    method: &str,
    result: &RawMap,
    mismatch: Option<CheckView>,
) -> std::result::Result<ResultView, String> {
    match fullness {
        Fullness::Whole => result_view(method, result, mismatch),
        Fullness::Described => {
            let (number, kept) = results.keep(Kept::read(method, result)?);
            Ok(describe(number, &kept, mismatch))
        }
    }
}

/// The kept results by number.
#[derive(Debug, Default)]
pub struct Results(Mutex<List>);

#[derive(Debug, Default)]
struct List {
    last: u64,
    kept: BTreeMap<u64, Arc<Kept>>,
}

impl Results {
    /// Keeps a result and gives its number.
    pub fn keep(&self, result: Kept) -> (u64, Arc<Kept>) {
        let kept = Arc::new(result);
        let mut list = self.lock();
        list.last += 1;
        let number = list.last;
        list.kept.insert(number, kept.clone());
        let mut bytes: usize = list.kept.values().map(|kept| kept.weight()).sum();
        while list.kept.len() > 1 && (list.kept.len() > bounds::CALLS_KEPT || bytes > bounds::RESULTS) {
            let Some((_, oldest)) = list.kept.pop_first() else {
                break;
            };
            bytes -= oldest.weight();
        }
        (number, kept)
    }

    /// A kept result.
    ///
    /// # Errors
    /// It gave way to newer ones, or there never was one of this number.
    pub fn get(&self, number: u64) -> Result<Arc<Kept>> {
        self.lock().kept.get(&number).cloned().ok_or(HostError::NotFound {
            what: "copy of this result any more: newer ones took its place. Call again to see all of it".into(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
