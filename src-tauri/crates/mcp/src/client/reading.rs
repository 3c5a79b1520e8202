//! The task that reads: every frame to the tap, then to whom it concerns. It never waits for the host or for the writer.

use std::sync::Arc;

use bytes::Bytes;

use super::changes::Heard;
use super::inbound::{Asked, Verdict};
use super::link::lock;
use super::{EraKind, Event, Link, Reply, Responder, ServerRequest, outgoing};
use crate::error::ExchangeError;
use crate::frame::{self, BadFrame, Envelope, RequestId};
use crate::model::notice::Progress;
use crate::model::read;
use crate::params::{Raw, RawMap};
use crate::tap::Direction;
use crate::transport::{Incoming, Received};

/// Reads until the transport ends.
pub(super) async fn run(link: Arc<Link>, mut incoming: impl Incoming) {
    loop {
        match incoming.next().await {
            Ok(Some(Received::Frame(bytes))) => {
                link.tap.frame(Direction::Received, &bytes);
                receive(&link, bytes);
            }
            Ok(Some(Received::Overlong { head, tail, length })) => {
                link.tap.overlong(&head, length);
                overlong(&link, head, &tail, length);
            }
            Ok(None) => break,
            Err(error) => {
                tracing::debug!(%error, "reading ended");
                break;
            }
        }
    }
    link.note_output_ended();
}

/// See [`Link::greet`].
pub(super) fn greet(link: &Arc<Link>) {
    let verdicts = lock(&link.inbound).greet();
    verdicts.into_iter().for_each(|verdict| carry_out(link, verdict));
}

/// See [`Link::settle`].
pub(super) fn settle(link: &Arc<Link>, era: EraKind) {
    let verdicts = lock(&link.inbound).settle(era);
    verdicts.into_iter().for_each(|verdict| carry_out(link, verdict));
}

fn receive(link: &Arc<Link>, bytes: Bytes) {
    let foreign = frame::is_batch(&bytes) && lock(&link.inbound).era() == Some(EraKind::Modern);
    if foreign {
        violation(link, "a batch on a modern connection", bytes.clone());
    }
    for message in frame::decode_each(&bytes) {
        match message {
            Ok(message) if foreign => foreign_message(link, message, &bytes),
            Ok(message) => receive_message(link, message, &bytes),
            Err(bad) => unreadable(link, bad, &bytes),
        }
    }
}

fn receive_message(link: &Arc<Link>, message: Envelope, frame: &Bytes) {
    match message {
        Envelope::Result { id, result } => {
            finish(
                link,
                Some(&id),
                Ok(Reply {
                    result,
                    frame: frame.clone(),
                }),
                frame,
            );
        }
        Envelope::Error { id, error } => finish(link, id.as_ref(), Err(ExchangeError::Server(error)), frame),
        Envelope::Notification { method, params } => notification(link, method, params, frame),
        Envelope::Request { id, method, params } => {
            let verdict = lock(&link.inbound).take(Asked {
                id,
                method,
                params,
                frame: frame.clone(),
            });
            carry_out(link, verdict);
        }
    }
}

/// A message of a batch where there are no batches: who waits for it is told, and nothing else comes of it.
fn foreign_message(link: &Link, message: Envelope, frame: &Bytes) {
    if let Envelope::Result {
        id: RequestId::Number(id),
        ..
    }
    | Envelope::Error {
        id: Some(RequestId::Number(id)),
        ..
    } = message
    {
        let reason = "a batch on a modern connection".into();
        lock(&link.pending).finish(
            id,
            Err(ExchangeError::BadReply {
                reason,
                frame: frame.clone(),
            }),
        );
    }
}

fn finish(link: &Link, id: Option<&RequestId>, answer: Result<Reply, ExchangeError>, frame: &Bytes) {
    let mut pending = lock(&link.pending);
    let nobody = match id {
        None => match pending.sole() {
            Some(sole) => {
                pending.finish(sole, answer);
                return;
            }
            None => "an answer whose id is null".to_owned(),
        },
        Some(RequestId::Number(id)) => {
            if pending.finish(*id, answer) || pending.was_cancelled(*id) {
                return;
            }
            format!("an answer to nobody (id {id})")
        }
        Some(id @ RequestId::Text(text)) => {
            if let Some(number) = text.trim().parse().ok().filter(|number| pending.holds(*number)) {
                let bad = ExchangeError::BadReply {
                    reason: "id of the wrong type".into(),
                    frame: frame.clone(),
                };
                pending.finish(number, Err(bad));
                return;
            }
            format!("an answer to nobody (id {id})")
        }
    };
    let closed = pending.is_closed();
    drop(pending);
    if !closed {
        violation(link, nobody, frame.clone());
    }
}

fn unreadable(link: &Link, bad: BadFrame, frame: &Bytes) {
    let mut pending = lock(&link.pending);
    let ours = match &bad.id {
        Some(RequestId::Number(id)) => Some(*id),
        Some(RequestId::Text(text)) => text.trim().parse().ok(),
        None if bad.nameless => pending.sole(),
        None => None,
    };
    if let Some(id) = ours {
        let answer = ExchangeError::BadReply {
            reason: bad.reason.clone(),
            frame: frame.clone(),
        };
        if pending.finish(id, Err(answer)) || pending.was_cancelled(id) {
            return;
        }
    }
    drop(pending);
    violation(link, bad.reason, frame.clone());
}

fn overlong(link: &Link, head: Bytes, tail: &[u8], length: u64) {
    let sniffed = frame::sniff_cut(&head, tail);
    let answer = sniffed.method.is_none();
    let nameless = answer && sniffed.id.is_none() && (sniffed.has_result || sniffed.has_error);
    let reason = format!("a line of {length} bytes is too long");
    unreadable(
        link,
        BadFrame {
            reason,
            id: sniffed.id.filter(|_| answer),
            nameless,
        },
        &head,
    );
}

fn notification(link: &Link, method: String, params: Option<Raw>, frame: &Bytes) {
    match method.as_str() {
        "notifications/progress" => progress(link, params.as_ref()),
        "notifications/cancelled" => cancelled(link, params.as_ref()),
        _ => changed(link, &method, params.as_ref(), frame),
    }
    link.sink.push(Event::Notification { method, params });
}

fn progress(link: &Link, params: Option<&Raw>) {
    let Some(map) = params.and_then(|params| RawMap::parse(params.get()).ok()) else {
        return;
    };
    if let Some(RequestId::Number(token)) = read::id(&map, "progressToken") {
        lock(&link.pending).progress(token, || Progress::read(&map).ok());
    }
}

/// The server takes back a request of its own or, where it can have none, ends a subscription.
fn cancelled(link: &Link, params: Option<&Raw>) {
    let map = params.and_then(|params| RawMap::parse(params.get()).ok());
    let Some(id) = map.and_then(|map| read::id(&map, "requestId")) else {
        return;
    };
    let era = lock(&link.inbound).era();
    match (&id, era) {
        (RequestId::Number(number), Some(EraKind::Modern)) => {
            if lock(&link.subscriptions).cancelled(*number) {
                lock(&link.pending).give_up(*number);
            }
        }
        _ => {
            lock(&link.inbound).withdraw(&id);
            link.balance();
        }
    }
}

fn changed(link: &Link, method: &str, params: Option<&Raw>, frame: &Bytes) {
    let era = lock(&link.inbound).era();
    let heard = match era {
        Some(EraKind::Modern) => lock(&link.subscriptions).hear_modern(method, params),
        Some(EraKind::Legacy) => lock(&link.subscriptions).hear_legacy(method, params),
        None => Heard::Nothing,
    };
    match heard {
        Heard::Nothing => {}
        Heard::Begun(id) => lock(&link.pending).stand(id),
        Heard::Changed(change) => link.cache.invalidate(&change),
        Heard::Fault(what) => violation(link, what, frame.clone()),
    }
}

fn carry_out(link: &Arc<Link>, verdict: Verdict) {
    match verdict {
        Verdict::Held | Verdict::Ignore => {}
        Verdict::Pong(id) => link.say(outgoing::answer(&id, Ok(&RawMap::new().to_raw()))),
        Verdict::Refuse(id, code, message) => link.say(outgoing::answer(&id, Err((code, message)))),
        Verdict::Violation(what, frame) => violation(link, what, frame),
        Verdict::Ask(Asked { id, method, params, .. }, withdrawn) => {
            link.balance();
            let responder = Responder::new(Arc::clone(link), id.clone(), withdrawn);
            link.sink.push(Event::Request(ServerRequest {
                id,
                method,
                params,
                responder,
            }));
        }
    }
}

fn violation(link: &Link, what: impl Into<String>, frame: Bytes) {
    link.sink.push(Event::Violation {
        what: what.into(),
        frame,
    });
}
