//! The requests in flight: ids, time limits, and who waits. Nothing is sent or read here.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::{Limit, Reply};
use crate::bounds::{CANCELLED, IN_FLIGHT};
use crate::error::ExchangeError;
use crate::model::notice::Progress;

/// How one request ended.
pub(super) type Answer = Result<Reply, ExchangeError>;

/// Where the latest progress of one request is put. `None` until there is some.
pub type ProgressSink = watch::Sender<Option<Progress>>;

/// What is told to the server when a request is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GivenUp {
    /// `notifications/cancelled`.
    Told,
    /// Nothing: the handshake is never cancelled.
    Silent,
}

/// The table of one connection.
#[derive(Default)]
pub(super) struct Pending {
    waiting: HashMap<i64, Waiter>,
    last_id: i64,
    cancelled: VecDeque<i64>,
    closed: Option<String>,
    /// When the sweeper looks next.
    sweep: Option<Instant>,
    /// Since when the limits stand still.
    halted: Option<Instant>,
}

/// A request that was just entered.
pub(super) struct Opened {
    pub id: i64,
    pub answer: oneshot::Receiver<Answer>,
    /// Its limit runs out before the sweeper would look.
    pub wake: bool,
}

struct Waiter {
    answer: oneshot::Sender<Answer>,
    limit: Limit,
    given_up: GivenUp,
    idle_end: Instant,
    max_end: Instant,
    written: bool,
    progress: Option<ProgressSink>,
    /// It is answered only when the server has had enough of it, and is no candidate for an answer without an id.
    standing: bool,
}

impl Pending {
    /// Enters a request.
    pub(super) fn open(
        &mut self,
        limit: Limit,
        given_up: GivenUp,
        progress: Option<ProgressSink>,
    ) -> Result<Opened, ExchangeError> {
        if let Some(reason) = &self.closed {
            return Err(ExchangeError::Closed { reason: reason.clone() });
        }
        if self.waiting.len() >= IN_FLIGHT {
            return Err(ExchangeError::Busy);
        }
        let now = Instant::now();
        self.last_id += 1;
        let (sender, answer) = oneshot::channel();
        let waiter = Waiter {
            answer: sender,
            limit,
            given_up,
            idle_end: after(now, limit.idle),
            max_end: after(now, limit.max),
            written: false,
            progress,
            standing: false,
        };
        let end = waiter.end();
        self.waiting.insert(self.last_id, waiter);
        let wake = self.sweep.is_none_or(|sweep| end < sweep);
        if wake {
            self.sweep = Some(end);
        }
        Ok(Opened {
            id: self.last_id,
            answer,
            wake,
        })
    }

    /// Notes that a request is about to be written. False where nobody wants it any more.
    pub(super) fn written(&mut self, id: i64) -> bool {
        self.waiting.get_mut(&id).map(|waiter| waiter.written = true).is_some()
    }

    /// Ends a request. False where it is not in flight.
    pub(super) fn finish(&mut self, id: i64, answer: Answer) -> bool {
        match self.waiting.remove(&id) {
            Some(waiter) => {
                let _ = waiter.answer.send(answer);
                true
            }
            None => false,
        }
    }

    /// True where the request is in flight.
    pub(super) fn holds(&self, id: i64) -> bool {
        self.waiting.contains_key(&id)
    }

    /// The only request in flight, where there is exactly one; those that stand do not count.
    pub(super) fn sole(&self) -> Option<i64> {
        let mut waiting = self.waiting.iter().filter(|(_, waiter)| !waiter.standing);
        match (waiting.next(), waiting.next()) {
            (Some((id, waiter)), None) if waiter.written => Some(*id),
            _ => None,
        }
    }

    /// A request stands from here on: no time limit ends it.
    pub(super) fn stand(&mut self, id: i64) {
        if let Some(waiter) = self.waiting.get_mut(&id) {
            waiter.standing = true;
            waiter.idle_end = after(Instant::now(), Duration::MAX);
            waiter.max_end = waiter.idle_end;
        }
    }

    /// Gives a request up. True where the server is to be told.
    pub(super) fn give_up(&mut self, id: i64) -> bool {
        self.waiting
            .remove(&id)
            .is_some_and(|waiter| self.remember(id, &waiter))
    }

    /// Forgets a cancelled request, now that its late answer came. False where it was none.
    pub(super) fn was_cancelled(&mut self, id: i64) -> bool {
        let found = self.cancelled.iter().position(|other| *other == id);
        found.and_then(|index| self.cancelled.remove(index)).is_some()
    }

    /// Starts the idle time of a request anew, and hands its progress on.
    pub(super) fn progress(&mut self, id: i64, progress: impl FnOnce() -> Option<Progress>) {
        let Some(waiter) = self.waiting.get_mut(&id).filter(|waiter| !waiter.standing) else {
            return;
        };
        waiter.idle_end = after(Instant::now(), waiter.limit.idle);
        if let Some(sink) = &waiter.progress
            && let Some(progress) = progress()
        {
            sink.send_replace(Some(progress));
        }
    }

    /// The limits stand still: the server itself waits for us, and a person's time is not the server's.
    pub(super) fn halt(&mut self) {
        self.halted.get_or_insert_with(Instant::now);
    }

    /// The limits run on from where they stood. True where the sweeper is to look again.
    pub(super) fn run_on(&mut self) -> bool {
        let Some(since) = self.halted.take() else { return false };
        let stood = since.elapsed();
        for waiter in self.waiting.values_mut() {
            waiter.idle_end = after(waiter.idle_end, stood);
            waiter.max_end = after(waiter.max_end, stood);
        }
        self.sweep = self.waiting.values().map(Waiter::end).min();
        true
    }

    /// Ends what ran out of time. Gives the ids that the server is to be told of.
    pub(super) fn expire(&mut self) -> Vec<i64> {
        if self.halted.is_some() {
            self.sweep = None;
            return Vec::new();
        }
        let now = Instant::now();
        let over = self
            .waiting
            .iter()
            .filter(|(_, waiter)| waiter.end() <= now)
            .map(|(id, _)| *id);
        let mut told = Vec::new();
        for id in over.collect::<Vec<_>>() {
            if let Some(waiter) = self.waiting.remove(&id) {
                if self.remember(id, &waiter) {
                    told.push(id);
                }
                let limit = if waiter.max_end <= now {
                    waiter.limit.max
                } else {
                    waiter.limit.idle
                };
                let _ = waiter.answer.send(Err(ExchangeError::TimedOut { limit }));
            }
        }
        self.sweep = self.waiting.values().map(Waiter::end).min();
        told
    }

    /// When the sweeper is to look next.
    pub(super) fn next_sweep(&self) -> Option<Instant> {
        self.sweep
    }

    /// Ends all requests, and those that are yet to come.
    pub(super) fn close(&mut self, reason: &str) {
        self.closed.get_or_insert_with(|| reason.to_owned());
        for (_, waiter) in self.waiting.drain() {
            let _ = waiter.answer.send(Err(ExchangeError::Closed {
                reason: reason.to_owned(),
            }));
        }
    }

    /// Ends the requests that were not written, and `failed`, and those that are yet to come.
    pub(super) fn refuse(&mut self, reason: &str, failed: &[i64]) {
        self.closed.get_or_insert_with(|| reason.to_owned());
        let over = self
            .waiting
            .iter()
            .filter(|(id, waiter)| !waiter.written || failed.contains(id));
        for id in over.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.finish(
                id,
                Err(ExchangeError::Closed {
                    reason: reason.to_owned(),
                }),
            );
        }
    }

    /// True once no request can be made any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Why no request can be made any more.
    pub(super) fn reason(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    fn remember(&mut self, id: i64, waiter: &Waiter) -> bool {
        if !waiter.written {
            return false;
        }
        if self.cancelled.len() == CANCELLED {
            self.cancelled.pop_front();
        }
        self.cancelled.push_back(id);
        waiter.given_up == GivenUp::Told
    }
}

impl Waiter {
    fn end(&self) -> Instant {
        self.idle_end.min(self.max_end)
    }
}

/// A limit that no clock can hold means "in a very long time".
fn after(now: Instant, time: Duration) -> Instant {
    now.checked_add(time)
        .unwrap_or_else(|| now + Duration::from_secs(86_400 * 365))
}
