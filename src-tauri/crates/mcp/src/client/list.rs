//! Following the pages of a listing until there are no more, or a bound. Reading items is `model`'s business.

use std::collections::HashSet;

use tokio::time::Instant;

use super::cache::Freshness;
use super::fetching::Source;
use super::{Client, Limit, Outcome, Reply};
use crate::bounds::{LIST_BYTES, LIST_ITEMS, LIST_TIME, PAGES};
use crate::error::ExchangeError;
use crate::model::listing::{self, Item, Listing};
use crate::model::read;
use crate::params::{Params, RawMap};

/// Reads a whole listing. Each page has a time of its own; where a kept page leads to one that the server no longer knows,
/// all are asked for anew.
pub(super) async fn all<T: Item>(client: &Client, freshness: Freshness) -> Result<Listing<T>, ExchangeError> {
    let mut led_by_cache = false;
    match walk(client, freshness, &mut led_by_cache).await {
        Err(ExchangeError::Server(_)) if led_by_cache => {
            client.cache().forget(T::METHOD);
            walk(client, Freshness::Anew, &mut led_by_cache).await
        }
        ended => ended,
    }
}

async fn walk<T: Item>(
    client: &Client,
    freshness: Freshness,
    led_by_cache: &mut bool,
) -> Result<Listing<T>, ExchangeError> {
    let mut found = Listing {
        items: Vec::new(),
        pages: 0,
        stopped: None,
        fresh_for: None,
    };
    let mut seen = HashSet::new();
    let (began, mut bytes) = (Instant::now(), 0);
    let mut cursor: Option<String> = None;
    loop {
        let params = match &cursor {
            None => Params::new(),
            Some(cursor) => Params::new().with("cursor", cursor),
        };
        let fetched = client.fetch(T::METHOD, params, Limit::LIST, freshness).await?;
        *led_by_cache |= fetched.source == Source::Cache;
        found.fresh_for = match (found.pages, found.fresh_for) {
            (0, _) => fetched.fresh_for,
            (_, so_far) => so_far.zip(fetched.fresh_for).map(|(one, other)| one.min(other)),
        };
        let reply = fetched.reply;
        let page = page(client, &reply)?;
        found.pages += 1;
        bytes += reply.frame.len();
        let items = page
            .get(T::MEMBER)
            .ok_or_else(|| reply.bad(format!("{} is missing", T::MEMBER)))?;
        for raw in read::array(items).map_err(|reason| reply.bad(format!("{}: {reason}", T::MEMBER)))? {
            if found.items.len() == LIST_ITEMS {
                found.stopped = Some(format!("more than {LIST_ITEMS} items"));
                return Ok(found);
            }
            found.items.push(listing::entry(raw));
        }
        let Some(next) = next_cursor(&page).map_err(|reason| reply.bad(reason))? else {
            return Ok(found);
        };
        if found.pages == PAGES {
            found.stopped = Some(format!("more than {PAGES} pages"));
            return Ok(found);
        }
        if bytes > LIST_BYTES {
            found.stopped = Some(format!("more than {} MiB", LIST_BYTES / 1024 / 1024));
            return Ok(found);
        }
        if began.elapsed() > LIST_TIME {
            found.stopped = Some(format!("it took more than {} s", LIST_TIME.as_secs()));
            return Ok(found);
        }
        if !seen.insert(next.clone()) {
            found.stopped = Some("the server named the same next page twice".into());
            return Ok(found);
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
