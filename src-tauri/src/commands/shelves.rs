//! What a server offers beside its lists of tools, prompts and resources: templates, suggestions, watched resources.

use gatehouse_host::Host;
use gatehouse_host::view::{ListingView, SuggestInput, SuggestionsView, TemplateView};
use tauri::State;

use super::{Answer, failed};

/// Lists a server's resource templates.
#[tauri::command]
pub async fn list_templates(host: State<'_, Host>, server: String) -> Answer<ListingView<TemplateView>> {
    host.templates(&server).await.map_err(failed)
}

/// Makes an address from a template and values; sends nothing.
#[tauri::command]
pub async fn expand_template(host: State<'_, Host>, template: String, values: Vec<(String, String)>) -> Answer<String> {
    host.expand_template(&template, &values).map_err(failed)
}

/// Asks a server for suggestions for what is typed; cancels an earlier request.
#[tauri::command]
pub async fn suggest(host: State<'_, Host>, server: String, input: SuggestInput) -> Answer<SuggestionsView> {
    host.suggest(&server, input).await.map_err(failed)
}

/// Cancels the suggestions of a server that are under way.
#[tauri::command]
pub async fn stop_suggestions(host: State<'_, Host>, server: String) -> Answer<()> {
    host.stop_suggestions(&server);
    Ok(())
}

/// Has a server tell of changes of a resource, or lets go of it.
#[tauri::command]
pub async fn watch_resource(host: State<'_, Host>, server: String, uri: String, on: bool) -> Answer<()> {
    if on {
        return host.watch_resource(&server, &uri).await.map_err(failed);
    }
    host.unwatch_resource(&server, &uri);
    Ok(())
}
