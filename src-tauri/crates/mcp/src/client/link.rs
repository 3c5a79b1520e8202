//! The shared middle of a connection: what the reader, the writer, the sweeper, requests and responders have in common.
//! Which era it lives in is told to it; it never guesses.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::AbortHandle;

use super::cache::Cache;
use super::changes::Subscriptions;
use super::declared::Said;
use super::inbound::Inbound;
use super::outgoing::{self, Meta, MetaOf};
use super::pending::{Answer, GivenUp, Pending, ProgressSink};
use super::sink::Sink;
use super::ticket::Ticket;
use super::writing::{Item, Purpose};
use super::{ClientInfo, Declared, EraKind, Event, Limit, reading, writing};
use crate::bounds::WRITE_QUEUE;
use crate::error::ExchangeError;
use crate::frame::RequestId;
use crate::model::notice::LogLevel;
use crate::params::{Params, Raw};
use crate::tap::Tap;
use crate::transport::{Incoming, Outgoing};

/// How long the writer may go on once the input is to be closed.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// One connection.
pub(crate) struct Link {
    pub(super) pending: Mutex<Pending>,
    pub(super) inbound: Mutex<Inbound>,
    pub(super) subscriptions: Mutex<Subscriptions>,
    pub(super) cache: Cache,
    pub(super) sink: Sink,
    pub(super) tap: Arc<dyn Tap>,
    /// Ids whose cancellation did not fit into the queue.
    pub(super) cancels: Mutex<Vec<i64>>,
    queue: mpsc::Sender<Item>,
    sweep: Notify,
    meta: Meta,
    said: Mutex<Said>,
    output_ended: watch::Sender<bool>,
    tasks: Mutex<Tasks>,
}

#[derive(Default)]
struct Tasks {
    reader: Option<AbortHandle>,
    writer: Option<AbortHandle>,
    sweeper: Option<AbortHandle>,
}

impl Link {
    /// Puts a link on the two ends of a transport. Its era is open until [`Link::settle`].
    pub(crate) fn start(
        incoming: impl Incoming,
        outgoing: impl Outgoing,
        tap: Arc<dyn Tap>,
        events: mpsc::Sender<Event>,
        info: &ClientInfo,
        declared: Declared,
        cache: Cache,
    ) -> Arc<Self> {
        let (queue, items) = mpsc::channel(WRITE_QUEUE);
        let link = Arc::new(Self {
            pending: Mutex::default(),
            inbound: Mutex::default(),
            subscriptions: Mutex::default(),
            cache,
            sink: Sink::new(events),
            tap,
            cancels: Mutex::default(),
            queue,
            sweep: Notify::new(),
            meta: Meta::new(info),
            said: Mutex::new(Said { declared, log: None }),
            output_ended: watch::Sender::new(false),
            tasks: Mutex::default(),
        });
        let reader = tokio::spawn(reading::run(Arc::clone(&link), incoming)).abort_handle();
        let writer = tokio::spawn(writing::run(Arc::clone(&link), outgoing, items)).abort_handle();
        let sweeper = tokio::spawn(sweep(Arc::clone(&link))).abort_handle();
        *lock(&link.tasks) = Tasks {
            reader: Some(reader),
            writer: Some(writer),
            sweeper: Some(sweeper),
        };
        link
    }

    pub(crate) fn declare(&self, declared: Declared) {
        lock(&self.said).declared = declared;
    }

    pub(crate) fn declared(&self) -> Declared {
        self.said().declared
    }

    pub(super) fn said(&self) -> Said {
        *lock(&self.said)
    }

    pub(super) fn want_log(&self, level: Option<LogLevel>) {
        lock(&self.said).log = level;
    }

    /// Sends a request of the settled era and waits for its end.
    pub(crate) async fn request(self: &Arc<Self>, method: &str, params: &Params, limit: Limit) -> Answer {
        self.request_with(method, params, limit, None).await
    }

    /// The same, with a place for its progress.
    pub(super) async fn request_with(
        self: &Arc<Self>,
        method: &str,
        params: &Params,
        limit: Limit,
        progress: Option<ProgressSink>,
    ) -> Answer {
        let era = lock(&self.inbound).era().unwrap_or(EraKind::Modern);
        let ticket = self.open(limit, GivenUp::Told, progress)?;
        self.send(ticket, era, method, params, limit.progress)
            .await?
            .wait()
            .await
    }

    /// Sends a request of the given era.
    pub(crate) async fn submit(
        self: &Arc<Self>,
        era: EraKind,
        method: &str,
        params: &Params,
        limit: Limit,
        given_up: GivenUp,
    ) -> Result<Ticket, ExchangeError> {
        let ticket = self.open(limit, given_up, None)?;
        self.send(ticket, era, method, params, limit.progress).await
    }

    /// Enters a request that is about to be sent; its limit runs from here.
    pub(super) fn open(
        self: &Arc<Self>,
        limit: Limit,
        given_up: GivenUp,
        progress: Option<ProgressSink>,
    ) -> Result<Ticket, ExchangeError> {
        let opened = lock(&self.pending).open(limit, given_up, progress)?;
        if opened.wake {
            self.sweep.notify_one();
        }
        Ok(Ticket::new(Arc::clone(self), opened.id, opened.answer))
    }

    /// Sends a request that was entered.
    pub(super) async fn send(
        self: &Arc<Self>,
        mut ticket: Ticket,
        era: EraKind,
        method: &str,
        params: &Params,
        progress: bool,
    ) -> Result<Ticket, ExchangeError> {
        let meta = match era {
            EraKind::Modern => MetaOf::Modern(&self.meta, self.said()),
            EraKind::Legacy => MetaOf::Legacy,
        };
        let item = Item {
            line: outgoing::request(ticket.id(), method, params, &meta, progress),
            purpose: Purpose::Request(ticket.id()),
        };
        match self.queue.try_send(item) {
            Ok(()) => Ok(ticket),
            Err(TrySendError::Closed(_)) => Err(self.closed()),
            Err(TrySendError::Full(item)) => tokio::select! {
                biased;
                answer = ticket.ended() => Err(answer.err().unwrap_or_else(|| self.closed())),
                sent = self.queue.send(item) => sent.map(|()| ticket).map_err(|_| self.closed()),
            },
        }
    }

    /// Sends a notification; resolves once it was written.
    pub(crate) async fn notify(&self, method: &str, params: Option<&Params>) -> Result<(), ExchangeError> {
        self.write(outgoing::notification(method, params)).await
    }

    /// Answers a server's request; resolves once the answer was written.
    pub(crate) async fn answer(&self, id: &RequestId, answer: Result<&Raw, (i64, &str)>) -> Result<(), ExchangeError> {
        if !lock(&self.inbound).answered(id) {
            return Err(ExchangeError::Closed {
                reason: "the server withdrew its request".into(),
            });
        }
        self.balance();
        self.write(outgoing::answer(id, answer)).await
    }

    /// Answers a server's request with an error where nobody waits. Where the queue is full the server is not reading, and goes without.
    pub(crate) fn answer_unheard(&self, id: &RequestId, code: i64, message: &str) {
        if lock(&self.inbound).answered(id) {
            self.balance();
            self.say(outgoing::answer(id, Err((code, message))));
        }
    }

    /// Time limits run only while the server does not wait for us.
    pub(super) fn balance(&self) {
        let waited_for = lock(&self.inbound).is_waited_for();
        let mut pending = lock(&self.pending);
        if waited_for {
            pending.halt();
        } else if pending.run_on() {
            self.sweep.notify_one();
        }
    }

    /// Writes a line where nobody waits for it.
    pub(super) fn say(&self, line: Bytes) {
        if self
            .queue
            .try_send(Item {
                line,
                purpose: Purpose::Unheard,
            })
            .is_err()
        {
            tracing::debug!("an answer did not fit into the queue of a server that does not read");
        }
    }

    /// Tells the server that a request was given up.
    pub(super) fn cancel(&self, id: i64) {
        let item = Item {
            line: outgoing::cancelled(id),
            purpose: Purpose::Unheard,
        };
        if let Err(TrySendError::Full(_)) = self.queue.try_send(item) {
            lock(&self.cancels).push(id);
        }
    }

    async fn write(&self, line: Bytes) -> Result<(), ExchangeError> {
        let (done, written) = oneshot::channel();
        let item = Item {
            line,
            purpose: Purpose::Heard(done),
        };
        self.queue.send(item).await.map_err(|_| self.closed())?;
        written.await.map_err(|_| self.closed())
    }

    /// `initialize` is about to be sent: a legacy server may ping from here on.
    pub(crate) fn greet(self: &Arc<Self>) {
        reading::greet(self);
    }

    /// The era is known. What a server asked before is delivered, or noted as a violation.
    pub(crate) fn settle(self: &Arc<Self>, era: EraKind) {
        reading::settle(self, era);
    }

    /// The host is given the client.
    pub(crate) fn go_live(&self) {
        self.sink.go_live();
    }

    /// Ends all requests; none can be made any more. The server's last words are still read.
    pub(crate) fn close(&self, reason: &str) {
        lock(&self.pending).close(reason);
        lock(&self.inbound).close();
        lock(&self.subscriptions).close(reason);
    }

    /// Closes the server's input, after what waits to be written where that goes quickly.
    pub(crate) fn close_input(&self) {
        let Some(writer) = lock(&self.tasks).writer.take() else {
            return;
        };
        if self
            .queue
            .try_send(Item {
                line: Bytes::new(),
                purpose: Purpose::Close,
            })
            .is_err()
        {
            return writer.abort();
        }
        tokio::spawn(async move {
            tokio::time::sleep(LAST_WORDS).await;
            writer.abort();
        });
    }

    /// The connection has ended.
    pub(crate) fn end(&self, reason: &str, expected: bool) {
        self.close(reason);
        self.sink.end(reason, expected);
        self.close_input();
        let tasks = std::mem::take(&mut *lock(&self.tasks));
        for task in [tasks.reader, tasks.sweeper].into_iter().flatten() {
            task.abort();
        }
        self.output_ended.send_replace(true);
    }

    /// True once the connection has ended.
    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.pending).is_closed()
    }

    /// Resolves when there is nothing more to read.
    pub(crate) async fn output_ended(&self) {
        let _ = self.output_ended.subscribe().wait_for(|ended| *ended).await;
    }

    pub(super) fn note_output_ended(&self) {
        self.output_ended.send_replace(true);
    }

    pub(super) fn closed(&self) -> ExchangeError {
        let reason = match lock(&self.pending).reason() {
            Some(reason) => reason.to_owned(),
            None => "the server closed its input".into(),
        };
        ExchangeError::Closed { reason }
    }
}

/// Takes a lock whose holder can't have left it half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn sweep(link: Arc<Link>) {
    loop {
        let next = lock(&link.pending).next_sweep();
        match next {
            None => link.sweep.notified().await,
            Some(next) => tokio::select! {
                () = tokio::time::sleep_until(next) => {
                    let told = lock(&link.pending).expire();
                    told.into_iter().for_each(|id| link.cancel(id));
                }
                () = link.sweep.notified() => {}
            },
        }
    }
}
