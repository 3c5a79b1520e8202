//! Listening to changes: one subscription, from its request to its end. What counts for it is judged in `changes`.

use std::sync::Arc;

use bytes::Bytes;
use tokio::runtime::Handle;

use super::changes::Filter;
use super::link::lock;
use super::mailbox::{Mailbox, SubscriptionEnd};
use super::{Client, EraKind, Limit, Link, Outcome, Reply, Ticket};
use crate::bounds::SUBSCRIBED;
use crate::error::ExchangeError;
use crate::model::notice::Change;
use crate::model::read;
use crate::params::{Params, RawMap};

/// A subscription that the server has acknowledged. Dropping it ends it, and the server is told.
pub struct Subscription {
    link: Arc<Link>,
    id: i64,
    mailbox: Arc<Mailbox>,
    /// The request that is the subscription; a legacy connection has none.
    ticket: Option<Ticket>,
    honoured: Filter,
    refused: Filter,
    /// The resources of a legacy server that are subscribed to for this.
    held: Vec<String>,
    end: Option<SubscriptionEnd>,
    runtime: Handle,
}

impl Client {
    /// Listens to changes. Resolves once the server has said what it will send; from then on there is no time limit.
    ///
    /// On a legacy connection the server sends list changes unasked where it declares them, and resources are subscribed to
    /// one by one; what it does not declare, or refuses, is not honoured.
    ///
    /// # Errors
    /// The server refused, ended it at once, or did not acknowledge it within [`Limit::LIST`].
    pub async fn listen(&self, filter: Filter) -> Result<Subscription, ExchangeError> {
        if filter.uris.len() > SUBSCRIBED {
            return Err(ExchangeError::Busy);
        }
        match self.era().kind {
            EraKind::Modern => modern(&self.link, filter).await,
            EraKind::Legacy => legacy(self, filter).await,
        }
    }
}

impl Subscription {
    /// What the server will send.
    pub fn honoured(&self) -> &Filter {
        &self.honoured
    }

    /// What was asked for, and the server will not send.
    pub fn refused(&self) -> &Filter {
        &self.refused
    }

    /// The next change; `None` once the subscription is over. The same change is kept once until it is taken. Dropping the
    /// future loses nothing.
    pub async fn next(&mut self) -> Option<Change> {
        loop {
            if let Some(change) = self.mailbox.take() {
                return Some(change);
            }
            if self.end.is_some() {
                return None;
            }
            if let Some(end) = self.mailbox.ended() {
                self.finish(end);
                continue;
            }
            match &mut self.ticket {
                None => self.mailbox.news().await,
                Some(ticket) => tokio::select! {
                    answer = ticket.ended() => {
                        let end = self.mailbox.ended().unwrap_or_else(|| ending(answer));
                        self.finish(end);
                    }
                    () = self.mailbox.news() => {}
                },
            }
        }
    }

    /// Why it is over, once [`Subscription::next`] has given `None`.
    pub fn ended(&self) -> Option<&SubscriptionEnd> {
        self.end.as_ref()
    }

    fn new(link: &Arc<Link>, id: i64, mailbox: Arc<Mailbox>, ticket: Option<Ticket>) -> Self {
        Self {
            link: Arc::clone(link),
            id,
            mailbox,
            ticket,
            honoured: Filter::default(),
            refused: Filter::default(),
            held: Vec::new(),
            end: None,
            runtime: Handle::current(),
        }
    }

    fn finish(&mut self, end: SubscriptionEnd) {
        self.end = Some(end);
        lock(&self.link.subscriptions).remove(self.id);
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let unwanted: Vec<String> = {
            let mut subscriptions = lock(&self.link.subscriptions);
            subscriptions.remove(self.id);
            let held = std::mem::take(&mut self.held);
            held.into_iter().filter(|uri| subscriptions.release(uri)).collect()
        };
        if unwanted.is_empty() || self.link.is_closed() {
            return;
        }
        let link = Arc::clone(&self.link);
        self.runtime.spawn(async move {
            for uri in unwanted {
                let params = Params::new().with("uri", &uri);
                if let Err(error) = link.request("resources/unsubscribe", &params, Limit::LIST).await {
                    tracing::debug!(%error, "a resource stays subscribed to");
                }
            }
        });
    }
}

impl std::fmt::Debug for Subscription {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Subscription")
            .field("id", &self.id)
            .field("honoured", &self.honoured)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

async fn modern(link: &Arc<Link>, filter: Filter) -> Result<Subscription, ExchangeError> {
    let ticket = link.open(Limit::LIST, super::GivenUp::Told, None)?;
    let mailbox = Arc::<Mailbox>::default();
    let id = ticket.id();
    lock(&link.subscriptions).open(id, filter.clone(), Arc::clone(&mailbox));
    let params = filter.params();
    let mut subscription = Subscription::new(link, id, Arc::clone(&mailbox), None);
    let ticket = link
        .send(ticket, EraKind::Modern, "subscriptions/listen", &params, false)
        .await?;
    let ticket = subscription.ticket.insert(ticket);
    loop {
        if let Some(honoured) = mailbox.honoured() {
            subscription.refused = filter.without(&honoured);
            subscription.honoured = honoured;
            return Ok(subscription);
        }
        tokio::select! {
            // What came before the end counts.
            biased;
            () = mailbox.news() => {}
            answer = ticket.ended() => return match (mailbox.ended(), mailbox.honoured(), answer) {
                (Some(SubscriptionEnd::Cancelled), _, _) => Err(early("the server cancelled it", Bytes::new())),
                (_, Some(honoured), answer) => {
                    subscription.refused = filter.without(&honoured);
                    subscription.honoured = honoured;
                    subscription.finish(ending(answer));
                    Ok(subscription)
                }
                (_, None, Ok(reply)) => Err(early("the server ended it", reply.frame)),
                (_, None, Err(error)) => Err(error),
            },
        }
    }
}

async fn legacy(client: &Client, filter: Filter) -> Result<Subscription, ExchangeError> {
    let link = &client.link;
    let offers = |kind: &str, what: &str| {
        let capability = client
            .identity()
            .capabilities
            .get(kind)
            .and_then(|raw| read::object(raw).ok());
        capability.is_some_and(|map: RawMap| read::holds(&map, what))
    };
    let honoured = Filter {
        tools: filter.tools && offers("tools", "listChanged"),
        prompts: filter.prompts && offers("prompts", "listChanged"),
        resources: filter.resources && offers("resources", "listChanged"),
        uris: Vec::new(),
    };
    let mailbox = Arc::<Mailbox>::default();
    let id = lock(&link.subscriptions).open_own(honoured.clone(), Arc::clone(&mailbox));
    let mut subscription = Subscription::new(link, id, mailbox, None);
    subscription.honoured = honoured;
    if offers("resources", "subscribe") {
        for uri in &filter.uris {
            subscription.hold(uri).await?;
        }
    }
    if link.is_closed() {
        return Err(link.closed());
    }
    subscription.refused = filter.without(&subscription.honoured);
    Ok(subscription)
}

impl Subscription {
    /// Subscribes to one resource of a legacy server; a refusal is no error.
    async fn hold(&mut self, uri: &str) -> Result<(), ExchangeError> {
        if self.held.iter().any(|held| held == uri) {
            return Ok(());
        }
        let first = lock(&self.link.subscriptions).hold(uri);
        self.held.push(uri.to_owned());
        // An update may come before the answer does.
        lock(&self.link.subscriptions).add(self.id, uri);
        if first {
            let params = Params::new().with("uri", &uri);
            let answer = self.link.request("resources/subscribe", &params, Limit::LIST).await;
            match answer {
                Ok(_) => {}
                Err(error @ (ExchangeError::Closed { .. } | ExchangeError::Busy)) => return Err(error),
                Err(error) => {
                    tracing::debug!(%error, uri, "a resource can't be subscribed to");
                    self.held.pop();
                    let mut subscriptions = lock(&self.link.subscriptions);
                    subscriptions.release(uri);
                    subscriptions.take_away(self.id, uri);
                    return Ok(());
                }
            }
        }
        self.honoured.uris.push(uri.to_owned());
        Ok(())
    }
}

/// What the end of the request says about the subscription that began with it.
fn ending(answer: Result<Reply, ExchangeError>) -> SubscriptionEnd {
    match answer {
        Ok(reply) => match reply.outcome(EraKind::Modern) {
            Ok(Outcome::Complete(_)) => SubscriptionEnd::Graceful,
            Ok(Outcome::InputRequired { .. }) => {
                SubscriptionEnd::Failed(reply.bad("a subscription may not ask for input"))
            }
            Err(error) => SubscriptionEnd::Failed(error),
        },
        Err(ExchangeError::Closed { reason }) => SubscriptionEnd::Closed { reason },
        Err(error) => SubscriptionEnd::Failed(error),
    }
}

fn early(what: &str, frame: Bytes) -> ExchangeError {
    ExchangeError::BadReply {
        reason: format!("the subscription was not acknowledged: {what}"),
        frame,
    }
}
