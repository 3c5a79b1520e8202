//! The model endpoint: how it is set, its key on its way in and never out, and the endpoint asked for an open question.

use gatehouse_host::Host;
use gatehouse_host::view::{EndpointSettings, EndpointState, SampleEdit};
use tauri::State;

use super::{Answer, failed};

/// The endpoint as it is set.
#[tauri::command]
pub async fn endpoint(host: State<'_, Host>) -> Answer<EndpointState> {
    host.endpoint().await.map_err(failed)
}

/// Sets the endpoint.
#[tauri::command]
pub async fn set_endpoint(host: State<'_, Host>, settings: EndpointSettings) -> Answer<EndpointState> {
    host.set_endpoint(settings).await.map_err(failed)
}

/// Keeps the endpoint's key, or forgets it.
#[tauri::command]
pub async fn set_endpoint_key(host: State<'_, Host>, key: Option<String>) -> Answer<EndpointState> {
    host.set_endpoint_key(key).await.map_err(failed)
}

/// Puts a part of an open question to the endpoint that it names. Nothing goes to the server.
#[tauri::command]
pub async fn ask_model(host: State<'_, Host>, question: u64, part: usize, edit: SampleEdit) -> Answer<()> {
    host.ask_model(question, part, &edit).map_err(failed)
}

/// Ends the asking, or takes the model's answer off the question.
#[tauri::command]
pub async fn stop_model(host: State<'_, Host>, question: u64, part: usize) -> Answer<()> {
    host.stop_model(question, part).map_err(failed)
}
