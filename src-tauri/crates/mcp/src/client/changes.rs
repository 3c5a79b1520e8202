//! Who listens to which changes on one connection, and what of a notification counts for whom. Nothing is sent here.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::mailbox::{Mailbox, SubscriptionEnd};
use crate::bounds::SUBSCRIPTIONS_OVER;
use crate::frame::RequestId;
use crate::model::notice::Change;
use crate::model::read;
use crate::params::{Params, Raw, RawMap};

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// What is listened to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Changes of the list of tools.
    pub tools: bool,
    /// Changes of the list of prompts.
    pub prompts: bool,
    /// Changes of the lists of resources and of templates.
    pub resources: bool,
    /// Changes of these resources.
    pub uris: Vec<String>,
}

/// The subscriptions of one connection.
#[derive(Default)]
pub(super) struct Subscriptions {
    open: HashMap<i64, Open>,
    over: VecDeque<i64>,
    /// Something came for no subscription, and that was said.
    strayed: bool,
    /// How many subscriptions hold each resource of a legacy server.
    held: HashMap<String, usize>,
    last_own: i64,
}

struct Open {
    asked: Filter,
    honoured: Option<Filter>,
    mailbox: Arc<Mailbox>,
    /// It has no request of its own whose end would be its end.
    own: bool,
    /// Something came for it that does not count, and that was said.
    faulted: bool,
}

/// What comes of one notification.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It is about no subscription, or nothing new.
    Nothing,
    /// This subscription begins.
    Begun(i64),
    /// It counts.
    Changed(Change),
    /// It does not count, and this is the first of its kind.
    Fault(String),
}

impl Filter {
    /// True where nothing is listened to.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            tools: self.tools && other.tools,
            prompts: self.prompts && other.prompts,
            resources: self.resources && other.resources,
            uris: self
                .uris
                .iter()
                .filter(|uri| other.uris.contains(uri))
                .cloned()
                .collect(),
        }
    }

    /// What is in this and not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self {
            tools: self.tools && !other.tools,
            prompts: self.prompts && !other.prompts,
            resources: self.resources && !other.resources,
            uris: self
                .uris
                .iter()
                .filter(|uri| !other.uris.contains(uri))
                .cloned()
                .collect(),
        }
    }

    /// The params of `subscriptions/listen`.
    pub(super) fn params(&self) -> Params {
        let kinds = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        let asked = kinds.into_iter().filter(|(_, asked)| *asked);
        let filter = asked.fold(RawMap::new(), |filter, (key, asked)| filter.with(key, &asked));
        let filter = if self.uris.is_empty() {
            filter
        } else {
            filter.with("resourceSubscriptions", &self.uris)
        };
        Params::new().with("notifications", &filter)
    }

    fn read(params: &RawMap) -> Self {
        let map = read::present(params, "notifications").and_then(|raw| read::object(raw).ok());
        let map = map.unwrap_or_default();
        Self {
            tools: read::holds(&map, "toolsListChanged"),
            prompts: read::holds(&map, "promptsListChanged"),
            resources: read::holds(&map, "resourcesListChanged"),
            uris: read::texts(&map, "resourceSubscriptions"),
        }
    }

    /// Whether a change is of a kind that is listened to.
    fn covers(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools,
            Change::Prompts => self.prompts,
            Change::Resources => self.resources,
            Change::Resource { .. } => !self.uris.is_empty(),
            Change::Everything => true,
        }
    }

    /// The same, where nothing says whom the change is for: a resource has to be named, or lie below a named one.
    fn covers_by_name(&self, change: &Change) -> bool {
        match change {
            Change::Resource { uri } => self.uris.iter().any(|named| uri.starts_with(named.as_str())),
            other => self.covers(other),
        }
    }
}

impl Subscriptions {
    /// Enters the subscription of a request that is about to be sent.
    pub(super) fn open(&mut self, id: i64, asked: Filter, mailbox: Arc<Mailbox>) {
        let open = Open {
            asked,
            honoured: None,
            mailbox,
            own: false,
            faulted: false,
        };
        self.open.insert(id, open);
    }

    /// Enters a subscription on a legacy connection, where the server sends its changes to nobody in particular.
    pub(super) fn open_own(&mut self, honoured: Filter, mailbox: Arc<Mailbox>) -> i64 {
        self.last_own += 1;
        let open = Open {
            asked: honoured.clone(),
            honoured: Some(honoured),
            mailbox,
            own: true,
            faulted: false,
        };
        self.open.insert(self.last_own, open);
        self.last_own
    }

    /// A subscription on a legacy connection hears of one more resource.
    pub(super) fn add(&mut self, id: i64, uri: &str) {
        if let Some(honoured) = self.open.get_mut(&id).and_then(|open| open.honoured.as_mut()) {
            honoured.uris.push(uri.to_owned());
        }
    }

    /// It hears of it no more.
    pub(super) fn take_away(&mut self, id: i64, uri: &str) {
        if let Some(honoured) = self.open.get_mut(&id).and_then(|open| open.honoured.as_mut()) {
            honoured.uris.retain(|honoured| honoured != uri);
        }
    }

    /// One more subscription wants a resource of a legacy server. True where it is the first.
    pub(super) fn hold(&mut self, uri: &str) -> bool {
        let count = self.held.entry(uri.to_owned()).or_insert(0);
        *count += 1;
        *count == 1
    }

    /// One less wants it. True where it was the last.
    pub(super) fn release(&mut self, uri: &str) -> bool {
        let Some(count) = self.held.get_mut(uri) else {
            return false;
        };
        *count -= 1;
        let last = *count == 0;
        if last {
            self.held.remove(uri);
        }
        last
    }

    /// Takes a subscription off the list.
    pub(super) fn remove(&mut self, id: i64) {
        if self.open.remove(&id).is_some_and(|open| !open.own) {
            if self.over.len() == SUBSCRIPTIONS_OVER {
                self.over.pop_front();
            }
            self.over.push_back(id);
        }
    }

    /// The server ends a subscription. False where there is no such one.
    pub(super) fn cancelled(&mut self, id: i64) -> bool {
        let Some(open) = self.open.get(&id).filter(|open| !open.own) else {
            return false;
        };
        open.mailbox.end(SubscriptionEnd::Cancelled);
        self.remove(id);
        true
    }

    /// The connection ends.
    pub(super) fn close(&mut self, reason: &str) {
        for open in self.open.values().filter(|open| open.own) {
            open.mailbox.end(SubscriptionEnd::Closed {
                reason: reason.to_owned(),
            });
        }
    }

    /// A notification on a legacy connection.
    pub(super) fn hear_legacy(&mut self, method: &str, params: Option<&Raw>) -> Heard {
        let Some(change) = change(method, params) else {
            return Heard::Nothing;
        };
        match change {
            Err(reason) => self.stray(format!("{method}: {reason}")),
            Ok(change) => {
                for open in self.open.values() {
                    if open
                        .honoured
                        .as_ref()
                        .is_some_and(|honoured| honoured.covers_by_name(&change))
                    {
                        open.mailbox.put(change.clone());
                    }
                }
                Heard::Changed(change)
            }
        }
    }

    /// A notification on a modern connection: it counts for the subscription that it names, once that was acknowledged.
    pub(super) fn hear_modern(&mut self, method: &str, params: Option<&Raw>) -> Heard {
        let change = change(method, params);
        if change.is_none() && method != ACKNOWLEDGED {
            return Heard::Nothing;
        }
        let params = params.and_then(|params| read::object(params).ok()).unwrap_or_default();
        let id = match subscription_id(&params) {
            Some(RequestId::Number(id)) => id,
            Some(id @ RequestId::Text(_)) => return self.stray(format!("{method} for an unknown subscription ({id})")),
            None => return self.stray(format!("{method} without a subscription")),
        };
        let Some(open) = self.open.get_mut(&id) else {
            if self.over.contains(&id) {
                return Heard::Nothing;
            }
            return self.stray(format!("{method} for an unknown subscription ({id})"));
        };
        match (change, &open.honoured) {
            (None, None) => {
                let honoured = open.asked.and(&Filter::read(&params));
                open.mailbox.acknowledge(honoured.clone());
                open.honoured = Some(honoured);
                Heard::Begun(id)
            }
            (None, Some(_)) => open.fault(format!("subscription {id} was acknowledged twice")),
            (Some(_), None) => open.fault(format!("{method} before subscription {id} was acknowledged")),
            (Some(Err(reason)), Some(_)) => open.fault(format!("{method}: {reason}")),
            (Some(Ok(change)), Some(honoured)) if honoured.covers(&change) => {
                open.mailbox.put(change.clone());
                Heard::Changed(change)
            }
            (Some(Ok(_)), Some(_)) => open.fault(format!("{method}, which subscription {id} does not cover")),
        }
    }

    fn stray(&mut self, what: String) -> Heard {
        if std::mem::replace(&mut self.strayed, true) {
            Heard::Nothing
        } else {
            Heard::Fault(what)
        }
    }
}

impl Open {
    fn fault(&mut self, what: String) -> Heard {
        if std::mem::replace(&mut self.faulted, true) {
            Heard::Nothing
        } else {
            Heard::Fault(what)
        }
    }
}

fn change(method: &str, params: Option<&Raw>) -> Option<Result<Change, String>> {
    let uri = || {
        let params = read::object(params.ok_or("params is missing")?)?;
        read::required_text(&params, "uri")
    };
    Change::of(method, uri)
}

fn subscription_id(params: &RawMap) -> Option<RequestId> {
    let meta = read::object(read::present(params, "_meta")?).ok()?;
    read::id(&meta, SUBSCRIPTION_ID)
}
