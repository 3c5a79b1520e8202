//! A whole listing: pages put together, item by item. Following the pages is the client's business.

use std::time::Duration;

use crate::model::read;
use crate::params::{Raw, RawMap};

/// What a server listed.
#[derive(Debug, Clone)]
pub struct Listing<T> {
    /// The items in the server's order.
    pub items: Vec<Entry<T>>,
    /// How many pages were read.
    pub pages: usize,
    /// Why paging stopped before the server said it was done.
    pub stopped: Option<String>,
    /// How long from now every page stays fresh, as the server claims; `None` where some page need not be.
    pub fresh_for: Option<Duration>,
}

/// One item of a listing.
#[derive(Debug, Clone)]
pub enum Entry<T> {
    /// It could be read.
    Read(T),
    /// It could not.
    Unreadable {
        /// The item as it stood.
        raw: Raw,
        /// Its name, where that much is readable.
        name: Option<String>,
        /// What is wrong with it.
        reason: String,
    },
}

/// A kind of thing that a server lists.
pub(crate) trait Item: Sized {
    /// The method that lists it.
    const METHOD: &'static str;
    /// The member of the result that holds the items.
    const MEMBER: &'static str;
    /// Reads one.
    fn read(map: &RawMap, raw: Raw) -> Result<Self, String>;
}

/// Reads one item; never fails.
pub(crate) fn entry<T: Item>(raw: Raw) -> Entry<T> {
    let map = match read::object(&raw) {
        Ok(map) => map,
        Err(reason) => {
            return Entry::Unreadable {
                raw,
                name: None,
                reason,
            };
        }
    };
    match T::read(&map, raw.clone()) {
        Ok(item) => Entry::Read(item),
        Err(reason) => Entry::Unreadable {
            raw,
            name: read::lenient(&map, "name"),
            reason,
        },
    }
}
