//! Listings and reads through the cache, and completions. Following pages is `list`'s business.

use std::time::Duration;

use super::cache::{Cache, Freshness};
use super::{Client, Limit, Outcome, Reply, list};
use crate::error::ExchangeError;
use crate::model::completion::{Completing, Completion};
use crate::model::listing::Listing;
use crate::model::prompt::Prompt;
use crate::model::resource::{Resource, ResourceTemplate};
use crate::model::tool::Tool;
use crate::params::Params;

/// An answer, and where it came from.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// The answer.
    pub reply: Reply,
    /// How long from now it stays fresh; `None` where it is stale already.
    pub fresh_for: Option<Duration>,
    /// Where it came from.
    pub source: Source,
}

/// Where an answer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The server was asked.
    Server,
    /// It was kept.
    Cache,
}

impl Client {
    /// All tools; pages that are still fresh are not asked for again.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_tools(&self) -> Result<Listing<Tool>, ExchangeError> {
        self.list_tools_with(Freshness::Kept).await
    }

    /// All tools.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_tools_with(&self, freshness: Freshness) -> Result<Listing<Tool>, ExchangeError> {
        list::all(self, freshness).await
    }

    /// All prompts; pages that are still fresh are not asked for again.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_prompts(&self) -> Result<Listing<Prompt>, ExchangeError> {
        self.list_prompts_with(Freshness::Kept).await
    }

    /// All prompts.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_prompts_with(&self, freshness: Freshness) -> Result<Listing<Prompt>, ExchangeError> {
        list::all(self, freshness).await
    }

    /// All resources; pages that are still fresh are not asked for again.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_resources(&self) -> Result<Listing<Resource>, ExchangeError> {
        self.list_resources_with(Freshness::Kept).await
    }

    /// All resources.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_resources_with(&self, freshness: Freshness) -> Result<Listing<Resource>, ExchangeError> {
        list::all(self, freshness).await
    }

    /// All resource templates; pages that are still fresh are not asked for again.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_resource_templates(&self) -> Result<Listing<ResourceTemplate>, ExchangeError> {
        self.list_resource_templates_with(Freshness::Kept).await
    }

    /// All resource templates.
    ///
    /// # Errors
    /// A page that ends badly ends the listing.
    pub async fn list_resource_templates_with(
        &self,
        freshness: Freshness,
    ) -> Result<Listing<ResourceTemplate>, ExchangeError> {
        list::all(self, freshness).await
    }

    /// Reads a resource, from the cache where that is fresh. The answer may ask for input; what comes of the retry is the
    /// caller's and is never kept.
    ///
    /// # Errors
    /// See [`ExchangeError`].
    pub async fn read_cached(&self, uri: &str, limit: Limit, freshness: Freshness) -> Result<Fetched, ExchangeError> {
        self.fetch("resources/read", Params::new().with("uri", &uri), limit, freshness)
            .await
    }

    /// What is kept of this connection's answers; for those who send a cacheable request themselves.
    pub fn cache(&self) -> &Cache {
        &self.link.cache
    }

    /// Asks for suggestions for an argument.
    ///
    /// # Errors
    /// See [`ExchangeError`].
    pub async fn complete(&self, completing: &Completing) -> Result<Completion, ExchangeError> {
        let reply = self
            .request("completion/complete", completing.params(), Limit::LIST)
            .await?;
        match reply.outcome(self.era().kind)? {
            Outcome::Complete(result) => Completion::read(&result).map_err(|reason| reply.bad(reason)),
            Outcome::InputRequired { .. } => Err(reply.bad("a completion may not ask for input")),
        }
    }

    /// Sends a request whose answer may be kept, or uses the kept one.
    pub(super) async fn fetch(
        &self,
        method: &str,
        params: Params,
        limit: Limit,
        freshness: Freshness,
    ) -> Result<Fetched, ExchangeError> {
        let cache = self.cache();
        if freshness == Freshness::Kept
            && let Some(kept) = cache.lookup(method, &params)
        {
            return Ok(Fetched {
                reply: kept.reply,
                fresh_for: Some(kept.fresh_for),
                source: Source::Cache,
            });
        }
        let mark = cache.mark();
        let reply = self.request(method, params.clone(), limit).await?;
        Ok(Fetched {
            fresh_for: cache.store(mark, method, &params, &reply),
            reply,
            source: Source::Server,
        })
    }
}
