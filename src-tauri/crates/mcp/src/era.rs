//! From a launch to a ready client: which era the server lives in, and the handshake of its era. Nothing else is asked of it here.

mod attempt;
mod verdict;
pub(crate) mod version;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use self::attempt::{Attempt, Failed, Opening};
use crate::bounds;
use crate::client::{Client, ClientInfo, Declared, EraKind, Event};
use crate::error::ConnectError;
use crate::tap::Tap;
pub use crate::transport::process::{Process, StopTimes, Stopped};
pub use crate::transport::stdio::Launch;

/// How a connection is to be made.
#[derive(Debug, Clone)]
pub struct Options {
    /// The era that this server lived in last time.
    pub remembered: Option<EraKind>,
    /// The one era that may be spoken, where the person chose it: then nothing of the other one is ever sent.
    pub only: Option<EraKind>,
    /// What is declared.
    pub declared: Declared,
    /// Who we say we are.
    pub client_info: ClientInfo,
    /// How long `server/discover` has the connection for itself.
    pub probe: Duration,
    /// How long the server may take to its first good answer.
    pub start: Duration,
    /// The stop ladder's times.
    pub stop: StopTimes,
}

/// A ready connection.
pub struct Connected {
    /// For requests.
    pub client: Client,
    /// For the end.
    pub process: Process,
}

impl Options {
    /// Options with the usual times and no memory.
    pub fn new(client_info: ClientInfo, declared: Declared) -> Self {
        Self {
            remembered: None,
            only: None,
            declared,
            client_info,
            probe: bounds::PROBE,
            start: bounds::START,
            stop: StopTimes::default(),
        }
    }
}

/// Starts the process, finds its era and returns a ready client. Events flow into `events` from the first byte on.
/// Dropping the future stops the process in the background.
///
/// # Errors
/// See [`ConnectError`]; no process stays behind.
pub async fn connect(
    launch: &Launch,
    options: Options,
    tap: Arc<dyn Tap>,
    events: mpsc::Sender<Event>,
) -> Result<Connected, ConnectError> {
    let attempt = Attempt {
        launch,
        options: &options,
        tap: &tap,
        events: &events,
    };
    match tokio::time::timeout(options.start, choose(&attempt)).await {
        Ok(connected) => connected,
        Err(_) => Err(ConnectError::TimedOut { limit: options.start }),
    }
}

/// At most two processes: the first begins as the server was last known, the second the other way.
async fn choose(attempt: &Attempt<'_>) -> Result<Connected, ConnectError> {
    let (first, second) = match (attempt.options.only, attempt.options.remembered) {
        (Some(EraKind::Modern), _) => return only(attempt, Opening::ProbeOnly).await,
        (Some(EraKind::Legacy), _) => return only(attempt, Opening::Initialize).await,
        (None, Some(EraKind::Legacy)) => (Opening::Initialize, Opening::Probe),
        (None, Some(EraKind::Modern) | None) => (Opening::Probe, Opening::Initialize),
    };
    match attempt.run(first).await {
        Ok(connected) => return Ok(connected),
        Err(Failed::Final(error)) => return Err(error),
        Err(Failed::Perhaps(error)) => tracing::debug!(%error, "a fresh process for another try"),
    }
    match attempt.run(second).await {
        Ok(connected) => Ok(connected),
        Err(Failed::Final(error) | Failed::Perhaps(error)) => Err(error),
    }
}

async fn only(attempt: &Attempt<'_>, opening: Opening) -> Result<Connected, ConnectError> {
    match attempt.run(opening).await {
        Ok(connected) => Ok(connected),
        Err(Failed::Final(error) | Failed::Perhaps(error)) => Err(error),
    }
}
