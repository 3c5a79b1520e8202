//! The calls under way and the last ended ones: numbers, states, cancelling. Not the driving of one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::watch;

use super::Call;
use super::ends::Ends;
use super::journal::Journal;
use super::past::{Again, Gathered, Given};
use super::running::Running;
use crate::bounds;
use crate::changes::{Changes, Part};
use crate::clock;
use crate::error::{HostError, Result};
use crate::history::{History, cut};
use crate::server::Fingerprint;
use crate::store::Store;
use crate::store::calls::OpenCall;
use crate::view::{CallEnd, CallRef, CallState, CallView, ErrorView, WhyView};

/// The list of calls.
#[derive(Debug)]
pub struct Calls {
    list: Arc<Mutex<List>>,
    ends: Arc<Ends>,
    changes: Arc<Changes>,
    journal: Journal,
    history: History,
    run: u64,
}

#[derive(Debug, Default)]
pub(super) struct List {
    last: u64,
    pub(super) calls: VecDeque<Listed>,
}

#[derive(Debug)]
pub(super) struct Listed {
    pub(super) view: CallView,
    args: Option<String>,
    /// Its first request has left: what its server asks from now on may be for it.
    pub(super) left: bool,
    cancel: watch::Sender<bool>,
    pub(super) again: Option<Again>,
}

/// What is said of the one call under way on a server.
#[derive(Debug)]
pub(crate) struct Only {
    view: CallView,
    args: Option<String>,
    /// None where its first request has not left yet.
    cancel: Option<watch::Receiver<bool>>,
    run: u64,
}

impl Calls {
    /// No calls yet.
    pub(crate) fn new(store: Arc<Store>, changes: Arc<Changes>, history: History) -> Self {
        Self {
            list: Arc::default(),
            ends: Arc::default(),
            run: store.run() as u64,
            journal: Journal::new(store),
            changes,
            history,
        }
    }

    /// Begins a call with its arguments as they leave, and what was entered for it before, where it is started again.
    pub(crate) fn begin(
        &self,
        call: &Call,
        fingerprint: &Fingerprint,
        sent: Option<String>,
        drafts: Vec<Given>,
    ) -> Running {
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
            again: None,
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
            method: method.to_owned(),
            target: call.what.name().to_owned(),
            args: sent.clone().map(|args| cut(args, bounds::HISTORY_ARGS)),
            kept: true,
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
            history: self.history.clone(),
            run: self.run,
            fingerprint: fingerprint.as_str().to_owned(),
            name: call.what.name().to_owned(),
            gathered: Gathered::new(sent, drafts),
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
            run: self.run,
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

    /// How a call that its server forgot can be started again.
    ///
    /// # Errors
    /// There is no such call, or it did not end so.
    pub(crate) fn again(&self, id: u64) -> Result<Again> {
        let list = lock(&self.list);
        let call = list.calls.iter().find(|call| call.view.id == id);
        call.and_then(|call| call.again.clone())
            .ok_or_else(|| HostError::NotFound {
                what: format!("call number {id} that its server forgot"),
            })
    }

    /// True while a call is under way.
    pub(crate) fn is_running(&self) -> bool {
        lock(&self.list).calls.iter().any(|call| call.view.ended_at.is_none())
    }

    /// The calls for a screen, newest last.
    pub fn view(&self) -> Vec<CallView> {
        lock(&self.list).calls.iter().map(|call| call.view.clone()).collect()
    }
}

impl Only {
    /// The number by which the record and the history know it.
    pub fn number(&self) -> CallRef {
        CallRef {
            run: self.run,
            number: self.view.id,
        }
    }

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

pub(super) async fn cancelled(mut cancel: watch::Receiver<bool>) {
    if cancel.wait_for(|cancelled| *cancelled).await.is_err() {
        std::future::pending::<()>().await;
    }
}

pub(super) fn lock(list: &Mutex<List>) -> MutexGuard<'_, List> {
    list.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
