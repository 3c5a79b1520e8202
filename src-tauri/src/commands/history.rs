//! The history of calls.

use gatehouse_host::Host;
use gatehouse_host::host::history::{Look, Which};
use gatehouse_host::results::Fullness;
use gatehouse_host::view::{CallRef, HistoryCall, HistoryRow};
use tauri::State;

use super::{Answer, failed};

/// Lines of the history, newest first: of one server, or with some words, where asked for.
#[tauri::command]
pub async fn history(
    host: State<'_, Host>,
    before: Option<u64>,
    server: Option<String>,
    words: Option<String>,
    limit: u64,
) -> Answer<Vec<HistoryRow>> {
    let look = Look {
        before,
        since: None,
        server,
        words,
        limit: limit.min(1_000),
    };
    host.history(look).await.map_err(failed)
}

/// One call of the history, whole.
#[tauri::command]
pub async fn history_call(host: State<'_, Host>, seq: u64) -> Answer<HistoryCall> {
    host.history_call(seq, Fullness::Described).await.map_err(failed)
}

/// The call that a row of the record names.
#[tauri::command]
pub async fn history_of(host: State<'_, Host>, call: CallRef) -> Answer<HistoryCall> {
    host.history_of(call, Fullness::Described).await.map_err(failed)
}

/// Lets calls go, for good: one, those of a server, or all.
#[tauri::command]
pub async fn clear_history(host: State<'_, Host>, seq: Option<u64>, server: Option<String>) -> Answer<u64> {
    let which = match (seq, server) {
        (Some(seq), _) => Which::One(seq),
        (None, Some(server)) => Which::Server(server),
        (None, None) => Which::All,
    };
    host.clear_history(which).await.map_err(failed)
}

/// The newest arguments that a tool or prompt was called with.
#[tauri::command]
pub async fn recent_args(host: State<'_, Host>, server: String, method: String, target: String) -> Answer<Vec<String>> {
    host.recent_args(&server, &method, &target).await.map_err(failed)
}
