//! Intents about what a server offers beside its lists of tools, prompts and resources.

use gatehouse_mcp::error::{ExchangeError, Known};

use super::Host;
use super::servers::nothing;
use crate::changes::Part;
use crate::connection;
use crate::error::{HostError, Result};
use crate::template;
use crate::view::{ListingView, SuggestInput, SuggestionsView, TemplateView, templates_view};

const METHOD: &str = "resources/templates/list";

impl Host {
    /// The resource templates of a server. One that offers resources and knows no templates lists none.
    ///
    /// # Errors
    /// Those of a connection and of an exchange.
    pub async fn templates(&self, name: &str) -> Result<ListingView<TemplateView>> {
        let live = self.live(name).await?;
        if !live.offers("resources") {
            return Ok(nothing());
        }
        match live.client.list_resource_templates().await {
            Ok(templates) => Ok(templates_view(templates)),
            Err(ExchangeError::Server(error)) if matches!(error.known(METHOD), Known::MethodNotFound) => Ok(nothing()),
            Err(error) => Err(HostError::exchange(name, METHOD, error)),
        }
    }

    /// The address that a template and these values make. Sends nothing.
    ///
    /// # Errors
    /// It is no template, a value is for no variable of it, or the address is too long.
    pub fn expand_template(&self, template: &str, values: &[(String, String)]) -> Result<String> {
        template::expand(template, values)
    }

    /// Asks a connected server for suggestions for what is typed: what is typed is told to it. Cancels an earlier request.
    ///
    /// # Errors
    /// It is not connected, offers none, or did not answer in time; a newer request took the place of this one.
    pub async fn suggest(&self, name: &str, input: SuggestInput) -> Result<SuggestionsView> {
        connection::suggest(&self.core.link(name), input).await
    }

    /// Cancels the suggestions of a server that are under way: nobody waits for them any more.
    pub fn stop_suggestions(&self, name: &str) {
        self.core.link(name).forget_suggestions();
    }

    /// Has a server tell of changes of a resource, connecting first where needed, also on later connections of this run.
    ///
    /// # Errors
    /// Those of a connection; it does not declare that its resources can be watched; too many are.
    pub async fn watch_resource(&self, name: &str, uri: &str) -> Result<()> {
        let live = self.live(name).await?;
        if !live.declares("resources", "subscribe") {
            return Err(HostError::Invalid {
                reason: format!("server {name} does not say that its resources can be watched"),
            });
        }
        connection::watch(&self.core.link(name), &live, uri)
    }

    /// Lets go of a watched resource; its server is told.
    pub fn unwatch_resource(&self, name: &str, uri: &str) {
        self.core.link(name).watched.drop(uri);
        self.core.changes.ring(Part::Servers);
    }
}
