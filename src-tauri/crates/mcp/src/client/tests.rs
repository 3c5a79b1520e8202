//! One connection over memory: the test plays the server.

mod replies;
mod rounds;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::{Cache, Client, ClientInfo, Declared, Era, EraKind, Event, Limit, Link, ServerIdentity};
use crate::params::Params;
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
    let ready = unsettled(room, events);
    ready.link.settle(era);
    Ready {
        client: client(&ready.link, era),
        ..ready
    }
}

pub(super) fn unsettled(room: usize, events: usize) -> Ready {
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
    let link = Link::start(ear, mouth, Arc::new(NoTap), sender, &info, declared, Cache::default());
    let client = client(&link, EraKind::Modern);
    Ready {
        client,
        link,
        peer,
        events,
    }
}

fn client(link: &Arc<Link>, era: EraKind) -> Client {
    Client::new(
        Arc::clone(link),
        Era {
            kind: era,
            version: String::new(),
        },
        ServerIdentity::default(),
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
