//! What the person has set for a server, and that a change of it acts at once: the next frame says the new offers. What
//! the handshake told a legacy server stays until the next one; what it asks for is judged by the settings as they are.

use std::sync::Arc;

use gatehouse_mcp::client::{Declared, EraKind};
use gatehouse_mcp::model::notice::LogLevel;

use super::{Acting, Link};
use crate::core::Core;
use crate::error::{HostError, Result};
use crate::settings;
use crate::view::{EraChoice, ServerSettings};

/// What is declared to a server now.
///
/// # Errors
/// The database refused.
pub(crate) fn declared(core: &Core, server: &str) -> Result<Declared> {
    Ok(settings::declared(&settings::of_server(&core.store, server)?))
}

/// The one era that a server may be spoken to in; none where it is found out.
pub(super) fn era(settings: &ServerSettings) -> Option<EraKind> {
    match settings.era {
        EraChoice::Automatic => None,
        EraChoice::Modern => Some(EraKind::Modern),
        EraChoice::Legacy => Some(EraKind::Legacy),
    }
}

/// From which level on a server is asked for its log messages; none where it is not asked.
pub(super) fn log_level(settings: &ServerSettings) -> Option<LogLevel> {
    settings.log.as_deref().and_then(LogLevel::from_word)
}

/// The settings that act on a server, read anew.
///
/// # Errors
/// The database refused.
pub(crate) fn acting(core: &Core, server: &str) -> Result<Acting> {
    Ok(Acting {
        own: settings::of_server(&core.store, server)?,
        app: settings::of_app(&core.store)?,
    })
}

/// Lets the settings of a server act on its running connection, where there is one.
///
/// # Errors
/// The database refused, or a legacy server refused the level of its log.
pub(crate) async fn apply(core: &Arc<Core>, link: &Arc<Link>) -> Result<()> {
    let Some(live) = link.live() else {
        link.keep_acting(None);
        return Ok(());
    };
    let owned = link.clone();
    let client = live.client.clone();
    let level = core
        .blocking(move |core| {
            // Two changes at once: who comes second reads what the first has kept.
            let _turn = core.applying.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let acting = acting(core, owned.name())?;
            client.declare(settings::declared(&acting.own));
            let level = log_level(&acting.own);
            owned.keep_acting(Some(acting));
            Ok(level)
        })
        .await?;
    if live.client.log_level() == level {
        return Ok(());
    }
    let set = live.client.set_log_level(level).await;
    set.map(drop)
        .map_err(|e| HostError::exchange(link.name(), "logging/setLevel", e))
}

/// Lets all settings act: those of the app, and those of each server. What a server refuses is said to nobody.
pub(crate) async fn apply_everywhere(core: &Arc<Core>) {
    let read = core
        .blocking(|core| {
            // In turn, so that nobody who read before the change puts the old ones back: the next call reads the new ones.
            let _turn = core.applying.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            core.all_links().iter().for_each(|link| link.keep_acting(None));
            settings::of_app(&core.store)
        })
        .await;
    for link in core.all_links() {
        if let Ok(settings) = &read {
            link.traffic().bound(settings.traffic);
        }
        // A server that answers late must not keep the others from their settings.
        let core = core.clone();
        tokio::spawn(async move {
            if let Err(error) = apply(&core, &link).await {
                tracing::info!(server = link.name(), "its settings did not act: {error}");
            }
        });
    }
}
