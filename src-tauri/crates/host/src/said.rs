//! What a tool said of itself when the person last called it, and whether it says something else now. A server may change
//! what its tools do, or say, from one day to the next; the person sees it before the next call. Not a check of what is true.

use std::sync::Arc;

use crate::bounds;
use crate::core::Core;
use crate::error::Result;
use crate::server::Fingerprint;
use crate::view::{ListingView, ToolSaid, ToolView};

/// What is kept of a tool; none where that is too much to keep.
pub(crate) fn kept(tool: &ToolView) -> Option<String> {
    let said = serde_json::to_string(&tool.said()).expect("texts serialise");
    (said.len() <= bounds::TOOL_SAID).then_some(said)
}

/// Marks the tools that say something else than when they were last called.
///
/// # Errors
/// The database refused.
pub(crate) async fn mark(
    core: &Arc<Core>,
    fingerprint: Fingerprint,
    mut tools: ListingView<ToolView>,
) -> Result<ListingView<ToolView>> {
    core.blocking(move |core| {
        let before = core.store.tools_said(&fingerprint)?;
        for tool in &mut tools.items {
            let said: Option<ToolSaid> = before.get(&tool.name).and_then(|said| serde_json::from_str(said).ok());
            tool.changed = said.filter(|said| *said != tool.said());
        }
        Ok(tools)
    })
    .await
}

/// Keeps what a tool says now, since the person has called it.
pub(crate) async fn keep(core: &Arc<Core>, server: &str, tool: &str) {
    let link = core.link(server);
    let Some(said) = link.schemas(tool).and_then(|schemas| schemas.said) else {
        return;
    };
    let Ok(entry) = core.servers.entry(server) else { return };
    let tool = tool.to_owned();
    let kept = core
        .blocking(move |core| core.store.keep_tool_said(&entry.fingerprint, &tool, &said))
        .await;
    match kept {
        // Who shows it as changed asks again.
        Ok(true) => link.lists_changed(),
        Ok(false) => {}
        Err(error) => tracing::warn!(server, "what a tool says could not be kept: {error}"),
    }
}
