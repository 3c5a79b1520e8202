//! Follows a server's lists: where it says that it announces changes, we listen, and whoever shows a list is told to ask
//! for it again. A server that keeps announcing is followed at a bounded pace.
//!
//! Specification: basic/patterns/subscriptions (modern), `notifications/*/list_changed` (legacy).

use std::sync::Arc;

use gatehouse_mcp::client::Filter;

use super::{Link, Live};
use crate::bounds;

/// Follows the lists of a connection until it ends. Does nothing for a server that announces none.
pub(super) async fn follow(link: Arc<Link>, live: Live) {
    let filter = announced(&live);
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
fn announced(live: &Live) -> Filter {
    Filter {
        tools: live.declares("tools", "listChanged"),
        prompts: live.declares("prompts", "listChanged"),
        resources: live.declares("resources", "listChanged"),
        uris: Vec::new(),
    }
}
