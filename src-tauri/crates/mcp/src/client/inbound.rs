//! What a server asked of us: held until the era is known, then open until it is answered. Nothing is sent here.

use std::collections::HashMap;

use bytes::Bytes;
use tokio::sync::watch;

use super::EraKind;
use crate::bounds::SERVER_REQUESTS;
use crate::frame::RequestId;
use crate::params::Raw;

/// A request of the server's.
pub(super) struct Asked {
    pub id: RequestId,
    pub method: String,
    pub params: Option<Raw>,
    pub frame: Bytes,
}

/// The server's requests on one connection.
#[derive(Default)]
pub(super) struct Inbound {
    era: Option<EraKind>,
    greeted: bool,
    held: Vec<Asked>,
    open: HashMap<RequestId, watch::Sender<bool>>,
    closed: bool,
}

/// What is to be done with a request.
pub(super) enum Verdict {
    /// Nothing yet.
    Held,
    /// It is a `ping` and may be answered.
    Pong(RequestId),
    /// The host is asked.
    Ask(Asked, watch::Receiver<bool>),
    /// It is answered with an error.
    Refuse(RequestId, i64, &'static str),
    /// It is not answered.
    Violation(String, Bytes),
    /// The connection is ending.
    Ignore,
}

impl Inbound {
    pub(super) fn era(&self) -> Option<EraKind> {
        self.era
    }

    /// Takes one request in.
    pub(super) fn take(&mut self, asked: Asked) -> Verdict {
        if self.closed {
            return Verdict::Ignore;
        }
        match self.era {
            Some(EraKind::Modern) => Verdict::Violation(
                format!("a request ({}) on a modern connection", asked.method),
                asked.frame,
            ),
            Some(EraKind::Legacy) => self.admit(asked),
            None if self.greeted && asked.method == "ping" => Verdict::Pong(asked.id),
            None if self.held.len() >= SERVER_REQUESTS => {
                Verdict::Violation("too many requests before the first answer".into(), asked.frame)
            }
            None => {
                self.held.push(asked);
                Verdict::Held
            }
        }
    }

    /// From here on a `ping` is answered; those that were held are.
    pub(super) fn greet(&mut self) -> Vec<Verdict> {
        self.greeted = true;
        self.again()
    }

    /// The era is known; everything that was held is judged.
    pub(super) fn settle(&mut self, era: EraKind) -> Vec<Verdict> {
        self.era = Some(era);
        self.again()
    }

    /// True while the server waits for an answer of ours.
    pub(super) fn is_waited_for(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes a request off the list. False where it is not on it.
    pub(super) fn answered(&mut self, id: &RequestId) -> bool {
        self.open.remove(id).is_some()
    }

    /// The server does not want an answer any more.
    pub(super) fn withdraw(&mut self, id: &RequestId) {
        if let Some(withdrawn) = self.open.remove(id) {
            withdrawn.send_replace(true);
        }
    }

    /// Nothing can be answered any more.
    pub(super) fn close(&mut self) {
        self.closed = true;
        self.held.clear();
        for (_, withdrawn) in self.open.drain() {
            withdrawn.send_replace(true);
        }
    }

    fn again(&mut self) -> Vec<Verdict> {
        let held = std::mem::take(&mut self.held);
        held.into_iter().map(|asked| self.take(asked)).collect()
    }

    fn admit(&mut self, asked: Asked) -> Verdict {
        match asked.method.as_str() {
            "ping" => Verdict::Pong(asked.id),
            "roots/list" | "elicitation/create" | "sampling/createMessage" => {
                if self.open.contains_key(&asked.id) {
                    return Verdict::Violation(format!("request id {} is already in use", asked.id), asked.frame);
                }
                if self.open.len() >= SERVER_REQUESTS {
                    return Verdict::Refuse(asked.id, -32603, "too many requests are unanswered");
                }
                let (withdraw, withdrawn) = watch::channel(false);
                self.open.insert(asked.id.clone(), withdraw);
                Verdict::Ask(asked, withdrawn)
            }
            _ => Verdict::Refuse(asked.id, -32601, "method not found"),
        }
    }
}
