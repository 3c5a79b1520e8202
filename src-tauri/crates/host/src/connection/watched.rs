//! The resources of one server that the person watches: each is listened to by a task of its own while there is a
//! connection, and asked for again on the next one. Nothing is read here: a change is said, and reading is the person's.
//!
//! Specification: basic/patterns/subscriptions (modern), `resources/subscribe` (legacy).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use gatehouse_mcp::client::{Filter, SubscriptionEnd};
use gatehouse_mcp::error::ExchangeError;
use tokio::task::AbortHandle;

use super::{Link, Live};
use crate::bounds;
use crate::changes::Part;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::server::Fingerprint;
use crate::view::{WatchState, WatchView};

/// The watched resources of one server, by address.
#[derive(Debug, Default)]
pub(crate) struct Watched(Mutex<BTreeMap<String, Watch>>);

/// How many changes of a resource had been told when a reading of it began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(u64);

#[derive(Debug)]
struct Watch {
    fingerprint: Fingerprint,
    state: WatchState,
    changes: u64,
    /// The count of changes when it was read last.
    seen: u64,
    /// It was not listened to for a while since it was read last.
    missed: bool,
    task: Option<AbortHandle>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Begins to watch a resource. Watching what is watched already, and still listened to, does nothing.
pub(crate) fn watch(link: &Arc<Link>, live: &Live, uri: &str) -> Result<()> {
    let mut list = link.watched.list();
    if list.len() >= bounds::WATCHED && !list.contains_key(uri) {
        let reason = format!(
            "{} resources of server {} are watched already; let go of one first",
            bounds::WATCHED,
            link.name()
        );
        return Err(HostError::Invalid { reason });
    }
    let watch = list.entry(uri.to_owned()).or_insert_with(|| Watch {
        fingerprint: live.asker.fingerprint.clone(),
        state: WatchState::Asked,
        changes: 0,
        seen: 0,
        missed: false,
        task: None,
    });
    if watch.task.as_ref().is_none_or(AbortHandle::is_finished) {
        watch.listen(link, live, uri);
    }
    drop(list);
    link.changes.ring(Part::Servers);
    Ok(())
}

/// Listens again to all that is watched, on a new connection. What another program of this name was watched for is dropped.
pub(super) fn resume(link: &Arc<Link>, live: &Live) {
    let mut list = link.watched.list();
    list.retain(|_, watch| watch.fingerprint == live.asker.fingerprint);
    for (uri, watch) in list.iter_mut() {
        watch.missed = true;
        watch.listen(link, live, uri);
    }
}

impl Watched {
    /// Lets go of a resource; its server is told.
    pub fn drop(&self, uri: &str) {
        self.list().remove(uri);
    }

    /// To be taken before a resource is read.
    pub fn mark(&self, uri: &str) -> Option<Mark> {
        self.list().get(uri).map(|watch| Mark(watch.changes))
    }

    /// It was read; what changed before is seen.
    pub fn read(&self, uri: &str, mark: Mark) {
        if let Some(watch) = self.list().get_mut(uri) {
            watch.seen = watch.seen.max(mark.0);
            watch.missed = false;
        }
    }

    /// All of them, for a screen.
    pub fn view(&self) -> Vec<WatchView> {
        let list = self.list();
        let view = |(uri, watch): (&String, &Watch)| WatchView {
            uri: uri.clone(),
            label: harmless::line(uri, bounds::LINE),
            state: watch.state.clone(),
            changes: watch.changes,
            changed: watch.changes > watch.seen,
            missed: watch.missed,
        };
        list.iter().map(view).collect()
    }

    fn list(&self) -> MutexGuard<'_, BTreeMap<String, Watch>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Watch {
    /// Listens on this connection and on no earlier one.
    fn listen(&mut self, link: &Arc<Link>, live: &Live, uri: &str) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
        self.state = WatchState::Asked;
        let task = tokio::spawn(follow(link.clone(), live.clone(), uri.to_owned()));
        self.task = Some(task.abort_handle());
    }
}

/// Listens to one resource until its server ends that, the connection ends, or the person lets go of it.
async fn follow(link: Arc<Link>, live: Live, uri: String) {
    let filter = Filter {
        uris: vec![uri.clone()],
        ..Filter::default()
    };
    let words = |error: &dyn std::fmt::Display| harmless::line(&error.to_string(), bounds::LINE);
    let mut listening = match live.client.listen(filter).await {
        Ok(listening) => listening,
        Err(ExchangeError::Closed { .. }) => return link.watch_is(&uri, WatchState::Waiting),
        Err(error) => {
            let reason = words(&error);
            return link.watch_is(&uri, WatchState::Refused { reason });
        }
    };
    if listening.honoured().uris.is_empty() {
        let reason = "the server does not send what was asked for".to_owned();
        return link.watch_is(&uri, WatchState::Refused { reason });
    }
    link.watch_is(&uri, WatchState::Watched);
    while listening.next().await.is_some() {
        if let Some(watch) = link.watched.list().get_mut(&uri) {
            watch.changes += 1;
        }
        link.changes.ring(Part::Servers);
        // What comes meanwhile waits as one change.
        tokio::time::sleep(bounds::LISTS_PACE).await;
    }
    link.watch_is(
        &uri,
        match listening.ended() {
            Some(SubscriptionEnd::Closed { .. }) => WatchState::Waiting,
            Some(SubscriptionEnd::Failed(error)) => WatchState::Ended { reason: words(error) },
            Some(SubscriptionEnd::Cancelled) => WatchState::Ended {
                reason: "the server cancelled it".into(),
            },
            Some(SubscriptionEnd::Graceful) | None => WatchState::Ended {
                reason: "the server ended it".into(),
            },
        },
    );
}

impl Link {
    fn watch_is(&self, uri: &str, state: WatchState) {
        if let Some(watch) = self.watched.list().get_mut(uri) {
            watch.state = state;
        }
        self.changes.ring(Part::Servers);
    }
}
