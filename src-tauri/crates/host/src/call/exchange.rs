//! One request of a call and its reply, within what is left of the call's time. Not what follows from the reply.

use std::time::Duration;

use gatehouse_mcp::client::{Client, Limit, Outcome};
use gatehouse_mcp::error::{ErrorObject, ExchangeError};
use gatehouse_mcp::params::Params;
use tokio::sync::watch;

use super::running::Running;
use crate::bounds;
use crate::error::{HostError, Result};
use crate::harmless;

/// The limits of a call. Only the server's time counts, and the pauses between rounds: a person's never does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    whole: Limit,
    /// What is left of the longest time for this round and later ones.
    pub left: Duration,
    /// True when something left for the server in this call.
    pub told: bool,
}

impl Limits {
    /// The limits of a call that begins.
    pub fn of(whole: Limit) -> Self {
        Self {
            whole,
            left: whole.max,
            told: false,
        }
    }

    /// The call has lasted as long as one may.
    pub fn too_long(self, running: &Running) -> HostError {
        HostError::TooLong {
            server: running.server().to_owned(),
            limit: self.whole.max,
            told: self.told,
        }
    }

    fn of_this_round(self) -> Limit {
        Limit {
            idle: self.whole.idle.min(self.left),
            max: self.left,
            ..self.whole
        }
    }
}

/// Sends one request and reads its reply; shows the progress meanwhile.
///
/// # Errors
/// Those of an exchange, in the words for this call.
pub(super) async fn exchange(
    running: &Running,
    client: &Client,
    method: &str,
    params: Params,
    limits: Limits,
) -> Result<Outcome> {
    let limit = limits.of_this_round();
    let answers_a_round = params.get("requestState").is_some();
    let failed = |source: ExchangeError| match &source {
        ExchangeError::Server(error) if answers_a_round && is_about_state(error) => HostError::Forgot {
            server: running.server().to_owned(),
            words: harmless::line(&error.message, bounds::LINE),
        },
        ExchangeError::TimedOut { limit: over } if *over < limit.max => HostError::Silent {
            server: running.server().to_owned(),
            limit: *over,
            told: limits.told,
        },
        ExchangeError::TimedOut { .. } => limits.too_long(running),
        _ => HostError::exchange(running.server(), method, source),
    };
    let (progress, mut told) = watch::channel(None);
    let mut exchange = std::pin::pin!(client.request_with(method, params, limit, progress));
    let reply = loop {
        tokio::select! {
            biased;
            reply = &mut exchange => break reply.map_err(failed)?,
            Ok(()) = told.changed() => {
                if let Some(progress) = &*told.borrow_and_update() {
                    running.progressed(progress);
                }
            }
        }
    };
    reply.outcome(client.era().kind).map_err(failed)
}

/// An error to a retry that is about the state it gave back. The revision has no code for it; servers say it in words.
fn is_about_state(error: &ErrorObject) -> bool {
    error.message.to_lowercase().contains("state")
}
