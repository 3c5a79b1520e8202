//! Settings. A key and a value in words, as the command takes them.

use gatehouse_host::Host;
use tauri::State;

use super::{Answer, failed};

/// Changes one setting of the app.
#[tauri::command]
pub async fn change_settings(host: State<'_, Host>, key: String, value: String) -> Answer<()> {
    host.change_settings(&[(&key, &value)]).await.map_err(failed)
}

/// Changes one setting of a server.
#[tauri::command]
pub async fn change_server(host: State<'_, Host>, name: String, key: String, value: String) -> Answer<()> {
    host.change_server(&name, &[(&key, &value)]).await.map_err(failed)
}
