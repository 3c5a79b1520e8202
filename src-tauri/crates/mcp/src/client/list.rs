//! Following the pages of a listing until there are no more, or a bound. Reading items is `model`'s business.

use std::collections::HashSet;

use super::{Client, Limit, Outcome, Reply};
use crate::bounds::{LIST_ITEMS, PAGES};
use crate::error::ExchangeError;
use crate::model::listing::{Entry, Item, Listing};
use crate::model::read;
use crate::params::{Params, RawMap};

/// Reads a whole listing.
pub(super) async fn all<T: Item>(client: &Client) -> Result<Listing<T>, ExchangeError> {
    let mut listing = Listing { items: Vec::new(), pages: 0, stopped: None };
    let mut seen = HashSet::new();
    let mut cursor: Option<String> = None;
    loop {
        let params = match &cursor {
            None => Params::new(),
            Some(cursor) => Params::new().with("cursor", cursor),
        };
        let reply = client.request(T::METHOD, params, Limit::LIST).await?;
        let page = page(client, &reply)?;
        listing.pages += 1;
        let items = page.get(T::MEMBER).ok_or_else(|| reply.bad(format!("{} is missing", T::MEMBER)))?;
        for raw in read::array(items).map_err(|reason| reply.bad(format!("{}: {reason}", T::MEMBER)))? {
            if listing.items.len() == LIST_ITEMS {
                listing.stopped = Some(format!("more than {LIST_ITEMS} items"));
                return Ok(listing);
            }
            listing.items.push(Entry::read(raw));
        }
        let Some(next) = next_cursor(&page).map_err(|reason| reply.bad(reason))? else {
            return Ok(listing);
        };
        if listing.pages == PAGES {
            listing.stopped = Some(format!("more than {PAGES} pages"));
            return Ok(listing);
        }
        if !seen.insert(next.clone()) {
            listing.stopped = Some("the server named the same next page twice".into());
            return Ok(listing);
        }
        cursor = Some(next);
    }
}

fn page(client: &Client, reply: &Reply) -> Result<RawMap, ExchangeError> {
    match reply.outcome(client.era().kind)? {
        Outcome::Complete(page) => Ok(page),
        Outcome::InputRequired { .. } => Err(reply.bad("a listing may not ask for input")),
    }
}

fn next_cursor(page: &RawMap) -> Result<Option<String>, String> {
    match read::present(page, "nextCursor") {
        None => Ok(None),
        Some(_) => read::required_text(page, "nextCursor").map(Some),
    }
}
