//! Follows a server's lists: where it says that it announces changes, we listen, and whoever shows a list is told to ask
//! for it again. A server that keeps announcing is followed at a bounded pace.
//!
//! Specification: basic/patterns/subscriptions (modern), `notifications/*/list_changed` (legacy).

use std::sync::Arc;

use gatehouse_mcp::client::{Client, Filter};
use gatehouse_mcp::params::RawMap;

use super::{Link, Live};
use crate::bounds;

/// Follows the lists of a connection until it ends. Does nothing for a server that announces none.
pub(super) async fn follow(link: Arc<Link>, live: Live) {
    let filter = announced(&live.client);
    if filter.is_empty() {
        return;
    }
    let mut listening = match live.client.listen(filter).await {
        Ok(listening) => listening,
        Err(error) => {
            tracing::info!(server = link.name(), "its lists are not followed: {error}");
            return;
        }
    };
    while listening.next().await.is_some() {
        link.lists_changed();
        // What comes meanwhile waits as one change.
        tokio::time::sleep(bounds::LISTS_PACE).await;
    }
}

/// The lists whose changes the server says it announces.
fn announced(client: &Client) -> Filter {
    let announces = |feature: &str| {
        let declared = client.identity().capabilities.get(feature);
        let declared = declared.and_then(|raw| RawMap::parse(raw.get()).ok());
        declared.is_some_and(|map| map.get("listChanged").is_some_and(|raw| raw.get() == "true"))
    };
    Filter {
        tools: announces("tools"),
        prompts: announces("prompts"),
        resources: announces("resources"),
        uris: Vec::new(),
    }
}
