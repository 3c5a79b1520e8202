//! Suggestions of a server's for what is typed. One request a server is under way at a time: a newer one, or the person's
//! leaving the field, cancels it, and the server is told.
//!
//! Specification: server/utilities/completion.

use gatehouse_mcp::model::completion::{Completing, CompletionOf};

use super::Link;
use crate::bounds;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{SuggestInput, SuggestOf, SuggestionsView, suggestions_view};

/// Asks for suggestions on the running connection; typing starts no server.
///
/// # Errors
/// It is not connected, offers none, or did not answer in time; a newer request took the place of this one.
pub(crate) async fn suggest(link: &Link, input: SuggestInput) -> Result<SuggestionsView> {
    let name = link.name();
    let invalid = |reason: String| HostError::Invalid { reason };
    let live = link
        .live()
        .ok_or_else(|| invalid(format!("server {name} is not connected")))?;
    if !live.offers("completions") {
        return Err(invalid(format!("server {name} offers no suggestions")));
    }
    let typed = |text: &str| text.chars().count() <= bounds::SUGGEST_TYPED;
    if !typed(&input.value) || !input.others.iter().all(|(_, value)| typed(value)) {
        let reason = format!("suggestions are asked for up to {} characters", bounds::SUGGEST_TYPED);
        return Err(invalid(reason));
    }
    let mut newer = link.forget_suggestions();
    let completing = Completing {
        of: match input.of {
            SuggestOf::Prompt => CompletionOf::Prompt { name: input.name },
            SuggestOf::Template => CompletionOf::Template {
                uri_template: input.name,
            },
        },
        argument: input.argument,
        value: input.value,
        context: input
            .others
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .collect(),
    };
    tokio::select! {
        biased;
        _ = newer.changed() => Err(HostError::Cancelled { server: name.to_owned() }),
        answer = tokio::time::timeout(bounds::SUGGEST, live.client.complete(&completing)) => match answer {
            Ok(Ok(completion)) => Ok(suggestions_view(completion)),
            Ok(Err(error)) => Err(HostError::exchange(name, "completion/complete", error)),
            Err(_) => Err(invalid(format!(
                "server {} gave no suggestions within {} s",
                harmless::line(name, bounds::LINE),
                bounds::SUGGEST.as_secs()
            ))),
        },
    }
}

impl Link {
    /// Cancels the suggestions that are under way; hears of the next cancel.
    pub fn forget_suggestions(&self) -> tokio::sync::watch::Receiver<u64> {
        let mut newer = self.suggestions.subscribe();
        self.suggestions.send_modify(|count| *count += 1);
        newer.borrow_and_update();
        newer
    }
}
