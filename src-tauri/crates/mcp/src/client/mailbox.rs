//! What one subscription has heard and its listener has not taken yet: bounded, the same change once, never waited for.

use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;

use tokio::sync::Notify;

use super::changes::Filter;
use super::link::lock;
use crate::bounds::CHANGES;
use crate::error::ExchangeError;
use crate::model::notice::Change;

/// Why a subscription is over.
#[derive(Debug, Clone)]
pub enum SubscriptionEnd {
    /// The server ended it in good order.
    Graceful,
    /// The server cancelled it.
    Cancelled,
    /// The connection ended. On the next one it has to be asked for again.
    Closed {
        /// Why, in words.
        reason: String,
    },
    /// The server answered with an error, or with something that can't be read.
    Failed(ExchangeError),
}

/// The mailbox of one subscription.
#[derive(Default)]
pub(super) struct Mailbox {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Change>,
    waiting: HashSet<Change>,
    honoured: Option<Filter>,
    end: Option<SubscriptionEnd>,
}

impl Mailbox {
    /// The server begins to send.
    pub(super) fn acknowledge(&self, honoured: Filter) {
        lock(&self.state).honoured = Some(honoured);
        self.news.notify_one();
    }

    /// Adds a change, unless the same one waits already.
    pub(super) fn put(&self, change: Change) {
        let mut state = lock(&self.state);
        if state.waiting.contains(&Change::Everything) || state.waiting.contains(&change) {
            return;
        }
        let change = if state.queue.len() == CHANGES {
            state.queue.clear();
            state.waiting.clear();
            Change::Everything
        } else {
            change
        };
        state.waiting.insert(change.clone());
        state.queue.push_back(change);
        drop(state);
        self.news.notify_one();
    }

    /// Notes the end; the first one stands.
    pub(super) fn end(&self, end: SubscriptionEnd) {
        lock(&self.state).end.get_or_insert(end);
        self.news.notify_one();
    }

    /// The next change.
    pub(super) fn take(&self) -> Option<Change> {
        let mut state = lock(&self.state);
        let change = state.queue.pop_front()?;
        state.waiting.remove(&change);
        Some(change)
    }

    /// What the server will send, once it has said so.
    pub(super) fn honoured(&self) -> Option<Filter> {
        lock(&self.state).honoured.clone()
    }

    /// The end, where it was noted.
    pub(super) fn ended(&self) -> Option<SubscriptionEnd> {
        lock(&self.state).end.clone()
    }

    /// Resolves when there may be something new.
    pub(super) async fn news(&self) {
        self.news.notified().await;
    }
}
