//! The stream of events to the host: ordered, bounded, never waited for by the reader. What does not fit is counted and said.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, error::TrySendError};

use super::Event;

/// Where events go.
pub(super) struct Sink {
    events: mpsc::Sender<Event>,
    state: Arc<Mutex<State>>,
    runtime: Handle,
}

#[derive(Default)]
struct State {
    dropped: u64,
    /// A task waits for room to say what was dropped.
    waiting: bool,
    /// The host has the client, and so a right to hear of its end.
    live: bool,
    ended: Option<(String, bool)>,
    said: bool,
}

impl Sink {
    pub(super) fn new(events: mpsc::Sender<Event>) -> Self {
        Self {
            events,
            state: Arc::default(),
            runtime: Handle::current(),
        }
    }

    /// Adds one event, or counts it.
    pub(super) fn push(&self, event: Event) {
        let mut state = lock(&self.state);
        if state.ended.is_some() {
            return;
        }
        if state.dropped > 0 && self.events.try_send(Event::Dropped(state.dropped)).is_ok() {
            state.dropped = 0;
        }
        let lost = if state.dropped > 0 {
            Some(event)
        } else {
            match self.events.try_send(event) {
                Ok(()) => None,
                Err(TrySendError::Full(event)) => Some(event),
                Err(TrySendError::Closed(_)) => return,
            }
        };
        if lost.is_some() {
            state.dropped += 1;
            if !std::mem::replace(&mut state.waiting, true) {
                self.runtime
                    .spawn(say_dropped(self.events.clone(), Arc::clone(&self.state)));
            }
        }
        // A request that does not fit answers itself when it is dropped, which takes other locks.
        drop(state);
        drop(lost);
    }

    /// The host has the client from here on.
    pub(super) fn go_live(&self) {
        let mut state = lock(&self.state);
        state.live = true;
        self.say_end(state);
    }

    /// Notes the end; nothing comes after it.
    pub(super) fn end(&self, reason: &str, expected: bool) {
        let mut state = lock(&self.state);
        if state.ended.is_none() {
            state.ended = Some((reason.to_owned(), expected));
        }
        self.say_end(state);
    }

    fn say_end(&self, mut state: MutexGuard<'_, State>) {
        if let (true, false, Some((reason, expected))) = (state.live, state.said, state.ended.clone()) {
            state.said = true;
            let dropped = std::mem::take(&mut state.dropped);
            let events = self.events.clone();
            self.runtime.spawn(async move {
                if dropped > 0 {
                    let _ = events.send(Event::Dropped(dropped)).await;
                }
                let _ = events.send(Event::Ended { reason, expected }).await;
            });
        }
    }
}

async fn say_dropped(events: mpsc::Sender<Event>, state: Arc<Mutex<State>>) {
    let permit = events.reserve().await;
    let mut state = lock(&state);
    state.waiting = false;
    if let (Ok(permit), true) = (permit, state.dropped > 0) {
        permit.send(Event::Dropped(std::mem::take(&mut state.dropped)));
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
