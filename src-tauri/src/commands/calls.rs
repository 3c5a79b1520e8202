//! Calls. Each is started by one short command and its end asked for by another, which may be asked again: a page that
//! reloads loses nothing, and a command that the web view sends a second time (as it does with one that a reload cut off)
//! starts nothing twice.

use std::sync::Arc;

use gatehouse_host::Host;
use gatehouse_host::call::{self, Call, What};
use gatehouse_host::view::CallEnd;
use tauri::State;

use super::{Answer, failed};

/// Starts the call of a tool with the text of a JSON object, within a time limit of its own where one is given, in seconds.
/// Gives the call's number.
#[tauri::command]
pub async fn call_tool(
    host: State<'_, Host>,
    server: String,
    tool: String,
    args: String,
    limit: Option<f64>,
) -> Answer<u64> {
    start(&host, server, What::Tool { name: tool, args }, limit)
}

/// Starts to get a prompt with the text of a JSON object, and gives the call's number. The limit is as for a tool.
#[tauri::command]
pub async fn get_prompt(
    host: State<'_, Host>,
    server: String,
    name: String,
    args: String,
    limit: Option<f64>,
) -> Answer<u64> {
    start(&host, server, What::Prompt { name, args }, limit)
}

/// Starts to read a resource, and gives the call's number. The limit is as for a tool.
#[tauri::command]
pub async fn read_resource(host: State<'_, Host>, server: String, uri: String, limit: Option<f64>) -> Answer<u64> {
    start(&host, server, What::Resource { uri }, limit)
}

/// Starts a call anew that its server forgot. Gives the new call's number.
#[tauri::command]
pub async fn start_again(host: State<'_, Host>, call: u64) -> Answer<u64> {
    host.start_again(call).map_err(failed)
}

/// Waits for the end of a call.
#[tauri::command]
pub async fn call_end(host: State<'_, Host>, call: u64) -> Answer<Arc<CallEnd>> {
    host.call_end(call).await
}

/// Cancels a call under way.
#[tauri::command]
pub async fn cancel_call(host: State<'_, Host>, call: u64) -> Answer<()> {
    host.cancel_call(call).map_err(failed)
}

fn start(host: &Host, server: String, what: What, limit: Option<f64>) -> Answer<u64> {
    let limit = limit.map(call::limit_of).transpose().map_err(failed)?;
    host.start_call(Call { server, what, limit }).map_err(failed)
}
