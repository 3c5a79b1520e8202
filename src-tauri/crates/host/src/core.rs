//! The parts of one host, held together: each has one owner here and is reached by the modules that act. Decides nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use gatehouse_mcp::client::ClientInfo;

use crate::answer::sample::Pace;
use crate::call::calls::Calls;
use crate::changes::Changes;
use crate::connection::Link;
use crate::endpoint::http::Way;
use crate::error::{HostError, Result};
use crate::history::History;
use crate::ledger::Ledger;
use crate::notice::Notices;
use crate::places::Places;
use crate::question::Desk;
use crate::results::Results;
use crate::server::Loaded;
use crate::settings;
use crate::store::Store;
use crate::undo::Undo;

/// The parts.
#[derive(Debug)]
pub(crate) struct Core {
    pub places: Places,
    pub store: Arc<Store>,
    pub changes: Arc<Changes>,
    pub desk: Arc<Desk>,
    pub ledger: Ledger,
    pub servers: Loaded,
    pub links: Mutex<BTreeMap<String, Arc<Link>>>,
    pub calls: Calls,
    pub history: History,
    pub results: Results,
    pub notices: Notices,
    pub undo: Undo,
    pub info: ClientInfo,
    /// Held while the settings of a server are read and handed to its connection.
    pub applying: Mutex<()>,
    /// To the model endpoint.
    pub way: Way,
    /// How often it was asked without a question.
    pub pace: Pace,
    /// Nanoseconds that calls have waited for work on the disk.
    pub disk: AtomicU64,
}

impl Core {
    /// The link of a server, made on first use; it outlives connections and keeps the traffic.
    pub fn link(&self, server: &str) -> Arc<Link> {
        let mut links = self.links.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        links
            .entry(server.to_owned())
            .or_insert_with(|| {
                let link = Link::new(server, self.changes.clone());
                if let Ok(settings) = settings::of_app(&self.store) {
                    link.traffic().bound(settings.traffic);
                }
                Arc::new(link)
            })
            .clone()
    }

    /// Every link there is.
    pub fn all_links(&self) -> Vec<Arc<Link>> {
        self.links
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// Runs work that touches the disk away from the tasks that serve connections.
    ///
    /// # Errors
    /// Those of the work, or that it panicked.
    pub async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (core, began) = (self.clone(), Instant::now());
        let done = tokio::task::spawn_blocking(move || work(&core)).await;
        let waited = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.disk.fetch_add(waited, Ordering::Relaxed);
        match done {
            Ok(result) => result,
            Err(e) => Err(HostError::Storage {
                what: "work on the disk".into(),
                reason: e.to_string(),
            }),
        }
    }
}
