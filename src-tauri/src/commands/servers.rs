//! Servers and what they offer.

use gatehouse_host::server::demo;
use gatehouse_host::view::{CheckView, ErrorView, ListingView, PromptView, ResourceView, ServerInput, ToolView};
use gatehouse_host::{Code, Host, HostError};
use tauri::State;

use super::{Answer, failed};

/// Adds a server to `servers.json`.
#[tauri::command]
pub async fn add_server(host: State<'_, Host>, input: ServerInput) -> Answer<()> {
    host.add_server(input).await.map_err(failed)
}

/// Stops a server and removes it from `servers.json`.
#[tauri::command]
pub async fn remove_server(host: State<'_, Host>, name: String) -> Answer<()> {
    host.remove_server(&name).await.map_err(failed)
}

/// Puts a server back that was removed in this run. It is not started.
#[tauri::command]
pub async fn restore_server(host: State<'_, Host>, name: String) -> Answer<()> {
    host.restore_server(&name).await.map_err(failed)
}

/// Connects a server; ends when it is ready.
#[tauri::command]
pub async fn connect_server(host: State<'_, Host>, name: String) -> Answer<()> {
    host.connect(&name).await.map_err(failed)
}

/// Stops a server.
#[tauri::command]
pub async fn disconnect_server(host: State<'_, Host>, name: String) -> Answer<()> {
    host.disconnect(&name).await.map_err(failed)
}

/// Adds the demo server, unless it is there already, and connects it. Gives its name.
#[tauri::command]
pub async fn add_demo(host: State<'_, Host>) -> Answer<String> {
    let command = if cfg!(windows) { "gatehouse.exe" } else { "gatehouse" };
    let beside = std::env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.join(command)));
    let program = beside.filter(|program| program.is_file()).ok_or_else(|| ErrorView {
        code: Code::NotFound,
        message:
            "The demo server is part of the gatehouse command, which should stand beside this program and does not. \
                  Reinstall Gatehouse."
                .into(),
    })?;
    match host.add_server(demo::input(&program)).await {
        Ok(()) | Err(HostError::Exists { .. }) => {}
        Err(error) => return Err(failed(error)),
    }
    host.connect(demo::NAME).await.map_err(failed)?;
    Ok(demo::NAME.to_owned())
}

/// Lists a server's tools.
#[tauri::command]
pub async fn list_tools(host: State<'_, Host>, server: String) -> Answer<ListingView<ToolView>> {
    host.tools(&server).await.map_err(failed)
}

/// Checks arguments against a tool's input schema; sends nothing of them.
#[tauri::command]
pub async fn check_args(host: State<'_, Host>, server: String, tool: String, args: String) -> Answer<CheckView> {
    host.check_args(&server, &tool, &args).await.map_err(failed)
}

/// Forgets the lists that a server allowed to be kept, so that the next look asks it again.
#[tauri::command]
pub async fn refresh_lists(host: State<'_, Host>, server: String) -> Answer<()> {
    host.forget_lists(&server);
    Ok(())
}

/// Lists a server's prompts.
#[tauri::command]
pub async fn list_prompts(host: State<'_, Host>, server: String) -> Answer<ListingView<PromptView>> {
    host.prompts(&server).await.map_err(failed)
}

/// Lists a server's resources.
#[tauri::command]
pub async fn list_resources(host: State<'_, Host>, server: String) -> Answer<ListingView<ResourceView>> {
    host.resources(&server).await.map_err(failed)
}
