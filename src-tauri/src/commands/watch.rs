//! Updates up, notices away, and errors of the page into the log.

use gatehouse_host::Host;
use gatehouse_host::view::Update;
use tauri::ipc::Channel;
use tauri::{State, WebviewWindow};

use super::Answer;
use crate::updates::Pump;

/// Sends every part of the state once, and from then on each part that changes. A page that reloads watches anew.
#[tauri::command]
pub async fn watch(
    window: WebviewWindow,
    host: State<'_, Host>,
    pump: State<'_, Pump>,
    updates: Channel<Update>,
) -> Answer<()> {
    pump.start(window, host.inner().clone(), updates);
    Ok(())
}

/// Puts a notice away.
#[tauri::command]
pub async fn dismiss_notice(host: State<'_, Host>, id: u64) -> Answer<()> {
    host.dismiss_notice(id);
    Ok(())
}

/// Writes an error of the page into the log.
#[tauri::command]
pub async fn page_error(window: WebviewWindow, message: String) -> Answer<()> {
    let shown = gatehouse_host::harmless::paragraph(&message, 2_000);
    tracing::error!(window = window.label(), "the page reports: {shown}");
    Ok(())
}
