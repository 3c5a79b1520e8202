//! The journal of calls under way: written a moment after a call began, so that a call that ends at once costs no disk,
//! and one that a crash cuts off is known at the next start.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

use crate::bounds;
use crate::error::Result;
use crate::settings;
use crate::store::Store;
use crate::store::calls::OpenCall;

/// The journal.
#[derive(Debug, Clone)]
pub(super) struct Journal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Arc<Store>,
    pages: Mutex<Pages>,
    bells: Arc<Bells>,
}

/// Apart from the journal, so that the writing task can wait without keeping the journal alive.
#[derive(Debug, Default)]
struct Bells {
    wake: Notify,
    now: Notify,
}

#[derive(Debug, Default)]
struct Pages {
    writer_runs: bool,
    /// Began, and not in the database yet.
    began: BTreeMap<u64, OpenCall>,
    /// In the database.
    noted: Vec<u64>,
    /// In the database, and ended.
    ended: Vec<u64>,
}

impl Journal {
    /// A journal over a store.
    pub fn new(store: Arc<Store>) -> Self {
        Self(Arc::new(Inner {
            store,
            pages: Mutex::default(),
            bells: Arc::default(),
        }))
    }

    /// A call began.
    pub fn began(&self, call: OpenCall) {
        let mut pages = self.0.pages();
        pages.began.insert(call.call, call);
        let writer_runs = std::mem::replace(&mut pages.writer_runs, true);
        drop(pages);
        if !writer_runs {
            tokio::spawn(write(Arc::downgrade(&self.0), self.0.bells.clone()));
        }
        self.0.bells.wake.notify_one();
    }

    /// A call ended.
    pub fn ended(&self, call: u64) {
        let mut pages = self.0.pages();
        if pages.began.remove(&call).is_none()
            && let Some(at) = pages.noted.iter().position(|noted| *noted == call)
        {
            pages.noted.swap_remove(at);
            pages.ended.push(call);
            drop(pages);
            self.0.bells.wake.notify_one();
        }
    }

    /// What began is to be written now.
    pub fn flush(&self) {
        self.0.bells.now.notify_one();
    }
}

impl Inner {
    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) {
        let (began, ended) = {
            let mut pages = self.pages();
            let began: Vec<OpenCall> = std::mem::take(&mut pages.began).into_values().collect();
            pages.noted.extend(began.iter().map(|call| call.call));
            (began, std::mem::take(&mut pages.ended))
        };
        if began.is_empty() && ended.is_empty() {
            return;
        }
        let noted = self
            .as_kept(began)
            .and_then(|began| self.store.note_calls(&began, &ended));
        if let Err(error) = noted {
            tracing::error!("calls under way could not be noted: {error}");
        }
    }
}

impl Inner {
    /// Where the history keeps nothing of a server, its arguments are not noted either.
    fn as_kept(&self, mut began: Vec<OpenCall>) -> Result<Vec<OpenCall>> {
        let app = settings::of_app(&self.store)?;
        for call in &mut began {
            call.kept = settings::keeps_calls(&settings::of_server(&self.store, &call.server)?, &app);
            if !call.kept {
                call.args = None;
            }
        }
        Ok(began)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.bells.wake.notify_one();
        self.bells.now.notify_one();
    }
}

async fn write(journal: std::sync::Weak<Inner>, bells: Arc<Bells>) {
    loop {
        bells.wake.notified().await;
        tokio::select! {
            () = tokio::time::sleep(bounds::JOURNAL_AFTER) => {}
            () = bells.now.notified() => {}
        }
        let Some(inner) = journal.upgrade() else { return };
        let done = tokio::task::spawn_blocking(move || inner.write()).await;
        if done.is_err() {
            return;
        }
    }
}
