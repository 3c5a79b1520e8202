//! The history of calls: what ended is queued, and written a moment later by a thread that may wait for the disk. A call
//! never waits for it. Where it is switched off, nothing of a call is written. Nothing of it ever goes to a server.

mod reading;

use std::sync::{Arc, Mutex, MutexGuard, Weak};

use gatehouse_mcp::params::RawMap;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::bounds;
use crate::changes::{Changes, Part};
use crate::error::Result;
use crate::settings;
use crate::store::Store;
use crate::store::history::{Kept, Texts};
use crate::view::{CallRef, CheckView, Ending};

pub(crate) use reading::call;

/// The history.
#[derive(Debug, Clone)]
pub(crate) struct History(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Arc<Store>,
    changes: Arc<Changes>,
    queue: Mutex<Queue>,
    /// Apart, so that the writing task can wait without keeping the history alive.
    wake: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Queue {
    writer_runs: bool,
    calls: Vec<Past>,
    bytes: usize,
}

/// A call that ended, as it goes to the queue.
#[derive(Debug)]
pub(crate) struct Past {
    pub call: CallRef,
    pub at: u64,
    pub took_ms: u64,
    pub server: String,
    pub fingerprint: String,
    pub method: &'static str,
    pub target: String,
    pub args: Option<String>,
    pub ending: Ending,
    pub message: Option<String>,
    pub rounds: u64,
    pub asked: Vec<AskedRound>,
    /// The result as it came, and how it missed its schema.
    pub result: Option<(RawMap, Option<CheckView>)>,
}

/// What a server asked in one round, as it is kept: made harmless, and bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AskedRound {
    pub round: u64,
    pub requests: Vec<AskedRequest>,
}

/// One request of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AskedRequest {
    pub key: String,
    pub method: String,
    pub params: Option<String>,
}

impl History {
    /// An empty queue over a store.
    pub fn new(store: Arc<Store>, changes: Arc<Changes>) -> Self {
        Self(Arc::new(Inner {
            store,
            changes,
            queue: Mutex::default(),
            wake: Arc::default(),
        }))
    }

    /// Takes a call that ended. Where too much waits for the disk, its result stays out.
    pub fn take(&self, mut past: Past) {
        let weight = past.weight();
        let mut queue = self.0.queue();
        if queue.bytes + weight > bounds::HISTORY_QUEUE {
            past.result = None;
        }
        queue.bytes += past.weight();
        queue.calls.push(past);
        let writer_runs = std::mem::replace(&mut queue.writer_runs, true);
        drop(queue);
        if !writer_runs {
            match tokio::runtime::Handle::try_current() {
                Ok(runtime) => drop(runtime.spawn(write(Arc::downgrade(&self.0), self.0.wake.clone()))),
                // A call that is dropped after the runtime is written with the quit, or not at all.
                Err(_) => self.0.queue().writer_runs = false,
            }
        }
        self.0.wake.notify_one();
    }

    /// Writes what waits, now. Blocks for the disk.
    pub fn write(&self) {
        self.0.write();
    }
}

impl Inner {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) {
        let calls = {
            let mut queue = self.queue();
            queue.bytes = 0;
            std::mem::take(&mut queue.calls)
        };
        if calls.is_empty() {
            return;
        }
        let written = self.kept(calls).and_then(|(calls, most)| {
            if calls.is_empty() {
                return Ok(());
            }
            self.store.add_history(&calls, most)
        });
        match written {
            Ok(()) => self.changes.ring(Part::History),
            Err(error) => tracing::error!("ended calls could not be kept: {error}"),
        }
    }

    /// Those of the servers whose calls are kept, cut to what is kept of one.
    fn kept(&self, calls: Vec<Past>) -> Result<(Vec<Kept>, u64)> {
        let app = settings::of_app(&self.store)?;
        let mut kept = Vec::with_capacity(calls.len());
        for past in calls {
            if settings::keeps_calls(&settings::of_server(&self.store, &past.server)?, &app) {
                kept.push(past.kept());
            }
        }
        Ok((kept, app.calls_kept.into()))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.wake.notify_one();
    }
}

impl Past {
    fn weight(&self) -> usize {
        let result = self.result.as_ref();
        let values = result.map_or(0, |(result, _)| result.iter().map(|(_, value)| value.get().len()).sum());
        values + self.args.as_ref().map_or(0, String::len)
    }

    fn kept(self) -> Kept {
        let (result, mismatch) = self.result.unzip();
        Kept {
            call: self.call,
            at: self.at,
            took_ms: Some(self.took_ms),
            server: self.server,
            fingerprint: self.fingerprint,
            method: self.method.to_owned(),
            target: self.target,
            ending: self.ending,
            message: self.message,
            rounds: self.rounds,
            texts: Texts {
                args: self.args.map(|args| cut(args, bounds::HISTORY_ARGS)),
                asked: serde_json::to_string(&self.asked).expect("texts serialise"),
                result: result.map(|result| {
                    let raw: Box<str> = result.to_raw().into();
                    cut(raw.into(), bounds::HISTORY_RESULT)
                }),
                mismatch: mismatch
                    .flatten()
                    .map(|mismatch| serde_json::to_string(&mismatch).expect("texts serialise")),
            },
        }
    }
}

/// A text up to a bound, and how many bytes it had.
pub(crate) fn cut(mut text: String, most: usize) -> (String, u64) {
    let bytes = text.len() as u64;
    if text.len() > most {
        let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.shrink_to_fit();
    }
    (text, bytes)
}

async fn write(history: Weak<Inner>, wake: Arc<Notify>) {
    loop {
        wake.notified().await;
        tokio::time::sleep(bounds::HISTORY_AFTER).await;
        let Some(inner) = history.upgrade() else { return };
        if tokio::task::spawn_blocking(move || inner.write()).await.is_err() {
            return;
        }
    }
}
