//! From a launch to a ready client: which era the server lives in, and the handshake of its era. Nothing else is asked of it here.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use crate::bounds;
use crate::client::{Client, ClientInfo, Declared, EraKind, Event};
use crate::error::ConnectError;
use crate::tap::Tap;
pub use crate::transport::process::Process;
use crate::transport::process::StopTimes;
use crate::transport::stdio::Launch;

/// How a connection is to be made.
#[derive(Debug, Clone)]
pub struct Options {
    /// The era that this server lived in last time.
    pub remembered: Option<EraKind>,
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
    let _ = (launch, options, tap, events);
    unimplemented!()
}
