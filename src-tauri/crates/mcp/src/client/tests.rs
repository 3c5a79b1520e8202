//! One connection over memory: the test plays the server.

mod caching;
mod listening;
mod replies;
mod rounds;
mod saying;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::{Cache, Client, ClientInfo, Clock, Declared, Era, EraKind, Event, Limit, Link, ServerIdentity};
use crate::params::{Params, RawMap};
use crate::tap::NoTap;
use crate::transport::memory::{Peer, pair};

pub(super) const SOON: Duration = Duration::from_secs(5);

/// A ready client, its server and its events.
pub(super) struct Ready {
    pub client: Client,
    pub link: Arc<Link>,
    pub peer: Peer,
    pub events: mpsc::Receiver<Event>,
}

pub(super) fn ready(era: EraKind) -> Ready {
    ready_with(era, 64, 64)
}

pub(super) fn ready_with(era: EraKind, room: usize, events: usize) -> Ready {
    settled(unsettled(room, events), era, "{}")
}

/// A client of a server that declares these capabilities.
pub(super) fn offering(era: EraKind, capabilities: &str) -> Ready {
    settled(unsettled(64, 64), era, capabilities)
}

/// A client whose cache has a time of its own.
pub(super) fn timed(clock: Clock) -> Ready {
    settled(started(64, 64, Cache::with_clock(clock)), EraKind::Modern, "{}")
}

fn settled(ready: Ready, era: EraKind, capabilities: &str) -> Ready {
    ready.link.settle(era);
    Ready {
        client: client(&ready.link, era, capabilities),
        ..ready
    }
}

pub(super) fn unsettled(room: usize, events: usize) -> Ready {
    started(room, events, Cache::default())
}

fn started(room: usize, events: usize, cache: Cache) -> Ready {
    let (ear, mouth, peer) = pair(room);
    let (sender, events) = mpsc::channel(events);
    let info = ClientInfo {
        name: "gatehouse".into(),
        title: None,
        version: "1".into(),
    };
    let declared = Declared {
        roots: true,
        elicitation_form: true,
        ..Declared::default()
    };
    let link = Link::start(ear, mouth, Arc::new(NoTap), sender, &info, declared, cache);
    let client = client(&link, EraKind::Modern, "{}");
    Ready {
        client,
        link,
        peer,
        events,
    }
}

fn client(link: &Arc<Link>, era: EraKind, capabilities: &str) -> Client {
    Client::new(
        Arc::clone(link),
        Era {
            kind: era,
            version: String::new(),
        },
        ServerIdentity {
            capabilities: RawMap::parse(capabilities).expect("an object"),
            ..ServerIdentity::default()
        },
    )
}

impl Ready {
    /// The next event.
    pub(super) async fn event(&mut self) -> Event {
        tokio::time::timeout(SOON, self.events.recv())
            .await
            .expect("in time")
            .expect("open")
    }

    /// The server tells something.
    pub(super) fn tell(&self, method: &str, params: &str) {
        self.peer.say(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{params}}}"#
        ));
    }

    /// The server answers.
    pub(super) fn reply(&self, id: i64, result: &str) {
        self.peer
            .say(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#));
    }

    /// The server refuses.
    pub(super) fn refuse(&self, id: i64, code: i64) {
        self.peer.say(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no"}}}}"#
        ));
    }

    /// What was violated so far, once everything that was said was heard.
    pub(super) async fn violations(&mut self) -> Vec<String> {
        self.tell("last", "{}");
        let mut violations = Vec::new();
        loop {
            match self.event().await {
                Event::Violation { what, .. } => violations.push(what),
                Event::Notification { method, .. } if method == "notifications/last" => return violations,
                _ => {}
            }
        }
    }

    /// Nothing is sent for a while.
    pub(super) async fn quiet(&mut self) {
        let heard = tokio::time::timeout(Duration::from_millis(100), self.peer.written.recv()).await;
        assert!(heard.is_err(), "{heard:?}");
    }

    /// Starts a call in the background and waits until it was written.
    pub(super) async fn call(
        &mut self,
    ) -> (
        String,
        tokio::task::JoinHandle<Result<super::Reply, crate::error::ExchangeError>>,
    ) {
        let client = self.client.clone();
        let call = tokio::spawn(async move {
            client
                .request("tools/call", Params::new().with("name", &"t"), Limit::within(SOON))
                .await
        });
        (self.peer.hear().await, call)
    }
}
