//! One call under way: what it says of itself while it runs, and its end. Not the list of calls.

use std::sync::{Arc, Mutex};

use gatehouse_mcp::model::notice::Progress;
use gatehouse_mcp::params::RawMap;
use tokio::sync::watch;

use super::calls::{List, cancelled, lock};
use super::ends::{End, Ends};
use super::journal::Journal;
use super::past::{Came, Gathered};
use crate::bounds;
use crate::changes::{Changes, Part};
use crate::clock;
use crate::harmless;
use crate::history::{History, Past};
use crate::view::{CallRef, CallState, CallView, CheckView, Ending, ProgressView, WhyView};

/// A call under way. Dropping it without an end is a cancel.
#[derive(Debug)]
pub(crate) struct Running {
    pub(super) id: u64,
    pub(super) server: String,
    pub(super) method: &'static str,
    pub(super) target: String,
    pub(super) args: Option<String>,
    pub(super) started_at: u64,
    pub(super) cancel: watch::Receiver<bool>,
    pub(super) ends: Arc<Ends>,
    pub(super) list: Arc<Mutex<List>>,
    pub(super) changes: Arc<Changes>,
    pub(super) journal: Journal,
    pub(super) history: History,
    pub(super) run: u64,
    pub(super) fingerprint: String,
    pub(super) name: String,
    pub(super) gathered: Gathered,
}

impl Running {
    /// Its number.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The number by which the record and the history know it.
    pub fn number(&self) -> CallRef {
        CallRef {
            run: self.run,
            number: self.id,
        }
    }

    /// What is gathered of it.
    pub fn gathered(&self) -> &Gathered {
        &self.gathered
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
    pub fn end(self, state: CallState, came: Came) {
        if let Some(call) = came.forgotten {
            let again = self.gathered.again(call);
            let mut list = lock(&self.list);
            if let Some(listed) = list.calls.iter_mut().rev().find(|call| call.view.id == self.id) {
                listed.again = Some(again);
            }
        }
        self.settle(state, came.result);
    }

    fn settle(&self, state: CallState, result: Option<(RawMap, Option<CheckView>)>) {
        let (ending, message) = ending(&state);
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
            self.history.take(Past {
                call: self.number(),
                at: self.started_at,
                took_ms: self.age(),
                server: self.server.clone(),
                fingerprint: self.fingerprint.clone(),
                method: self.method,
                target: self.name.clone(),
                args: self.gathered.args.clone(),
                ending,
                message,
                rounds: self.round(),
                asked: self.gathered.take_asked(),
                result,
            });
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
        self.settle(CallState::Cancelled, None);
    }
}

/// How an ended call stands in the history.
fn ending(state: &CallState) -> (Ending, Option<String>) {
    match state {
        CallState::Done => (Ending::Done, None),
        CallState::ToolError => (Ending::ToolError, None),
        CallState::Declined { message } => (Ending::Declined, Some(message.clone())),
        CallState::Failed { message } => (Ending::Failed, Some(message.clone())),
        CallState::Cancelled | CallState::Running | CallState::Waiting => (Ending::Cancelled, None),
    }
}
