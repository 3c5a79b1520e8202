//! The calls under way and the last ended ones: numbers, states, cancelling. Not the driving of one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use gatehouse_mcp::model::notice::Progress;
use tokio::sync::watch;

use super::Call;
use super::ends::{End, Ends};
use super::journal::Journal;
use crate::bounds;
use crate::changes::{Changes, Part};
use crate::clock;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::server::Fingerprint;
use crate::store::Store;
use crate::store::calls::OpenCall;
use crate::view::{CallEnd, CallState, CallView, ErrorView, ProgressView, WhyView};

/// The list of calls.
#[derive(Debug)]
pub struct Calls {
    list: Arc<Mutex<List>>,
    ends: Arc<Ends>,
    changes: Arc<Changes>,
    journal: Journal,
}

#[derive(Debug, Default)]
struct List {
    last: u64,
    calls: VecDeque<Listed>,
}

#[derive(Debug)]
struct Listed {
    view: CallView,
    args: Option<String>,
    /// Its first request has left: what its server asks from now on may be for it.
    left: bool,
    cancel: watch::Sender<bool>,
}

/// A call under way. Dropping it without an end is a cancel.
#[derive(Debug)]
pub(crate) struct Running {
    id: u64,
    server: String,
    method: &'static str,
    target: String,
    args: Option<String>,
    started_at: u64,
    cancel: watch::Receiver<bool>,
    ends: Arc<Ends>,
    list: Arc<Mutex<List>>,
    changes: Arc<Changes>,
    journal: Journal,
}

/// What is said of the one call under way on a server.
#[derive(Debug)]
pub(crate) struct Only {
    view: CallView,
    args: Option<String>,
    /// None where its first request has not left yet.
    cancel: Option<watch::Receiver<bool>>,
}

impl Calls {
    /// No calls yet.
    pub fn new(store: Arc<Store>, changes: Arc<Changes>) -> Self {
        Self {
            list: Arc::default(),
            ends: Arc::default(),
            journal: Journal::new(store),
            changes,
        }
    }

    /// Begins a call.
    pub(crate) fn begin(&self, call: &Call, fingerprint: &Fingerprint) -> Running {
        let (cancel, cancelled) = watch::channel(false);
        let started_at = clock::now();
        let (method, target, args) = (call.what.method(), call.what.target(), call.what.shown_args());
        let mut list = lock(&self.list);
        list.last += 1;
        let id = list.last;
        let view = CallView {
            id,
            server: call.server.clone(),
            method: method.to_owned(),
            target: target.clone(),
            round: 1,
            started_at,
            ended_at: None,
            state: CallState::Running,
            progress: None,
        };
        list.calls.push_back(Listed {
            view,
            args: args.clone(),
            left: false,
            cancel,
        });
        // Only ended calls give way; one that runs stays in the list.
        while list.calls.len() > bounds::CALLS_KEPT
            && list.calls.front().is_some_and(|call| call.view.ended_at.is_some())
        {
            list.calls.pop_front();
        }
        drop(list);
        self.changes.ring(Part::Calls);
        self.journal.began(OpenCall {
            call: id,
            server: call.server.clone(),
            fingerprint: fingerprint.as_str().to_owned(),
            occasion: format!("{method} {target}"),
            started_at,
        });
        Running {
            id,
            server: call.server.clone(),
            method,
            target,
            args,
            started_at,
            cancel: cancelled,
            ends: self.ends.clone(),
            list: self.list.clone(),
            changes: self.changes.clone(),
            journal: self.journal.clone(),
        }
    }

    /// Waits for the end of a call that was started, and gives it; as often as it is asked for.
    ///
    /// # Errors
    /// There is no such call, its end is no longer kept, or it ended with an error.
    pub async fn end(&self, id: u64) -> std::result::Result<Arc<CallEnd>, ErrorView> {
        self.ends.of(id).await
    }

    /// Cancels a call.
    ///
    /// # Errors
    /// No such call is under way.
    pub fn cancel(&self, id: u64) -> Result<()> {
        let list = lock(&self.list);
        let call = list
            .calls
            .iter()
            .find(|call| call.view.id == id && call.view.ended_at.is_none());
        let call = call.ok_or_else(|| HostError::NotFound {
            what: format!("call number {id} under way"),
        })?;
        call.cancel.send_replace(true);
        Ok(())
    }

    /// The one call under way on a server; none where there are none or several.
    pub(crate) fn only_running(&self, server: &str) -> Option<Only> {
        let list = lock(&self.list);
        let mut running = list
            .calls
            .iter()
            .filter(|call| call.view.server == server && call.view.ended_at.is_none());
        let only = running.next()?;
        if running.next().is_some() {
            return None;
        }
        Some(Only {
            view: only.view.clone(),
            args: only.args.clone(),
            cancel: only.left.then(|| only.cancel.subscribe()),
        })
    }

    /// Says that the one call under way on a legacy server waits for the person, or no longer does.
    pub(crate) fn mark_waiting(&self, server: &str, waits: bool) {
        let mut list = lock(&self.list);
        let mut running: Vec<&mut Listed> = list
            .calls
            .iter_mut()
            .filter(|call| call.view.server == server && call.view.ended_at.is_none())
            .collect();
        if let [only] = running.as_mut_slice() {
            only.view.state = if waits { CallState::Waiting } else { CallState::Running };
        }
        drop(list);
        self.changes.ring(Part::Calls);
        if waits {
            self.journal.flush();
        }
    }

    /// The calls for a screen, newest last.
    pub fn view(&self) -> Vec<CallView> {
        lock(&self.list).calls.iter().map(|call| call.view.clone()).collect()
    }
}

impl Running {
    /// Its number.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Where its end is to be kept.
    pub(super) fn ends(&self) -> End {
        Ends::expect(&self.ends, self.id)
    }

    /// Its server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The round it is in.
    pub fn round(&self) -> u64 {
        self.view(|view| view.round)
    }

    /// Milliseconds since it began.
    pub fn age(&self) -> u64 {
        clock::now().saturating_sub(self.started_at)
    }

    /// Method and target.
    pub fn words(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    /// The occasion of a question of this call.
    pub fn why(&self, round: u64) -> WhyView {
        WhyView {
            call: Some(self.id),
            method: self.method.to_owned(),
            target: Some(self.target.clone()),
            args: self.args.clone(),
            round,
        }
    }

    /// It enters a round.
    pub fn enter(&self, round: u64) {
        if let Some(call) = lock(&self.list)
            .calls
            .iter_mut()
            .rev()
            .find(|call| call.view.id == self.id)
        {
            call.left = true;
        }
        if round > 1 {
            self.view(|view| {
                view.round = round;
                view.state = CallState::Running;
                view.progress = None;
            });
            self.changes.ring(Part::Calls);
        }
    }

    /// The server says how far it has come.
    pub fn progressed(&self, progress: &Progress) {
        let line = |text: &str| harmless::line(text, bounds::LINE);
        let progress = ProgressView {
            value: line(progress.progress.get()),
            total: progress.total.as_ref().map(|total| line(total.get())),
            fraction: progress.fraction(),
            message: progress.message.as_deref().map(line),
        };
        self.view(|view| view.progress = Some(progress));
        self.changes.ring(Part::Calls);
    }

    /// It waits for the person; from now on a crash must not lose sight of it.
    pub fn wait(&self) {
        self.view(|view| view.state = CallState::Waiting);
        self.changes.ring(Part::Calls);
        self.journal.flush();
    }

    /// The person has answered.
    pub fn resume(&self) {
        self.view(|view| view.state = CallState::Running);
        self.changes.ring(Part::Calls);
    }

    /// Waits until the person cancels it.
    pub async fn cancelled(&self) {
        cancelled(self.cancel.clone()).await;
    }

    /// It ended.
    pub fn end(self, state: CallState) {
        self.settle(state);
    }

    fn settle(&self, state: CallState) {
        let first = self.view(|view| {
            let first = view.ended_at.is_none();
            if first {
                view.ended_at = Some(clock::now());
                view.state = state;
            }
            first
        });
        if first {
            self.changes.ring(Part::Calls);
            self.journal.ended(self.id);
        }
    }

    fn view<T: Default>(&self, change: impl FnOnce(&mut CallView) -> T) -> T {
        let mut list = lock(&self.list);
        list.calls
            .iter_mut()
            .rev()
            .find(|call| call.view.id == self.id)
            .map(|call| change(&mut call.view))
            .unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.settle(CallState::Cancelled);
    }
}

impl Only {
    /// Method and target.
    pub fn words(&self) -> String {
        format!("{} {}", self.view.method, self.view.target)
    }

    /// The occasion of a question of this call.
    pub fn why(&self, round: u64) -> WhyView {
        WhyView {
            call: Some(self.view.id),
            method: self.view.method.clone(),
            target: Some(self.view.target.clone()),
            args: self.args.clone(),
            round,
        }
    }

    /// Waits until the person cancels it; for ever where its first request had not left, since nothing was asked for it.
    pub async fn cancelled(self) {
        match self.cancel {
            Some(cancel) => cancelled(cancel).await,
            None => std::future::pending().await,
        }
    }
}

async fn cancelled(mut cancel: watch::Receiver<bool>) {
    if cancel.wait_for(|cancelled| *cancelled).await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn lock(list: &Mutex<List>) -> MutexGuard<'_, List> {
    list.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
