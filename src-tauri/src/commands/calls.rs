//! Calls. The promise of a call ends with its result; a page that reloads meanwhile finds it in the list of calls.

use gatehouse_host::Host;
use gatehouse_host::call::{Call, What};
use gatehouse_host::view::CallEnd;
use tauri::State;

use super::{Answer, failed};

/// Calls a tool with the text of a JSON object.
#[tauri::command]
pub async fn call_tool(host: State<'_, Host>, server: String, tool: String, args: String) -> Answer<CallEnd> {
    run(&host, server, What::Tool { name: tool, args }).await
}

/// Gets a prompt with the text of a JSON object.
#[tauri::command]
pub async fn get_prompt(host: State<'_, Host>, server: String, name: String, args: String) -> Answer<CallEnd> {
    run(&host, server, What::Prompt { name, args }).await
}

/// Reads a resource.
#[tauri::command]
pub async fn read_resource(host: State<'_, Host>, server: String, uri: String) -> Answer<CallEnd> {
    run(&host, server, What::Resource { uri }).await
}

/// Cancels a call under way.
#[tauri::command]
pub async fn cancel_call(host: State<'_, Host>, call: u64) -> Answer<()> {
    host.cancel_call(call).map_err(failed)
}

async fn run(host: &Host, server: String, what: What) -> Answer<CallEnd> {
    host.call(Call { server, what, limit: None }).await.map_err(failed)
}
