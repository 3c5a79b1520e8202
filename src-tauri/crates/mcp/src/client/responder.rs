//! Where the answer to a server's request goes: once, or an error when it is dropped. Which answer is right is the host's business.

use std::sync::Arc;

use tokio::sync::watch;

use super::Link;
use crate::error::ExchangeError;
use crate::frame::RequestId;
use crate::params::Raw;

/// Answers one request of a legacy server.
pub struct Responder {
    link: Arc<Link>,
    id: RequestId,
    withdrawn: watch::Receiver<bool>,
    answered: bool,
}

impl Responder {
    pub(super) fn new(link: Arc<Link>, id: RequestId, withdrawn: watch::Receiver<bool>) -> Self {
        Self {
            link,
            id,
            withdrawn,
            answered: false,
        }
    }

    /// Answers with a result; resolves once it was written.
    ///
    /// # Errors
    /// The connection ended first.
    pub async fn result(mut self, result: Raw) -> Result<(), ExchangeError> {
        self.answered = true;
        self.link.answer(&self.id, Ok(&result)).await
    }

    /// Answers with an error; resolves once it was written.
    ///
    /// # Errors
    /// The connection ended first.
    pub async fn error(mut self, code: i64, message: &str) -> Result<(), ExchangeError> {
        self.answered = true;
        self.link.answer(&self.id, Err((code, message))).await
    }

    /// Resolves when the server withdraws its request, or the connection ends.
    pub async fn cancelled(&self) {
        let mut withdrawn = self.withdrawn.clone();
        let _ = withdrawn.wait_for(|withdrawn| *withdrawn).await;
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        if !self.answered {
            self.link
                .answer_unheard(&self.id, -32603, "the request was not answered");
        }
    }
}

impl std::fmt::Debug for Responder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Responder")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
