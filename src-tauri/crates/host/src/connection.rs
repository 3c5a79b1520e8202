//! The link to one server: its state, its running connection, and the start and stop of it. One owner a server.
//! Not the protocol (`gatehouse_mcp`), not the definition (`server`).

mod events;
mod legacy;
mod lists;
mod offer;
mod sampled;
mod settle;
mod start;
mod suggesting;
mod told;
mod watched;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use gatehouse_mcp::client::{Client, EraKind};
use gatehouse_mcp::era::Process;
use gatehouse_mcp::params::RawMap;
use tokio::sync::watch;

use crate::bounds;
use crate::changes::{Changes, Part};
use crate::clock;
use crate::harmless;
use crate::icon;
use crate::question::Asker;
use crate::traffic::Traffic;
use crate::view::{ConnectionView, IdentityView, ServerSettings, Settings};

pub(crate) use offer::apply_everywhere;
pub(crate) use offer::{acting, apply, declared};
pub(crate) use start::connect;
pub(crate) use suggesting::suggest;
pub(crate) use told::tell_changes;
pub(crate) use watched::{Watched, watch};

/// The link to one configured server. It outlives connections.
#[derive(Debug)]
pub(crate) struct Link {
    name: String,
    traffic: Arc<Traffic>,
    /// Counts the changes of its lists that it announced.
    lists: AtomicU64,
    /// The schemas of its tools, as they were last listed.
    schemas: Mutex<HashMap<String, Schemas>>,
    /// The resources of it that the person watches.
    pub watched: Watched,
    /// Counts the suggestions that were asked for; what an earlier count asked for is of no use any more.
    suggestions: watch::Sender<u64>,
    state: Mutex<State>,
    /// What is set for it and for the app, as it acts on its connection; none while that was not read.
    acting: Mutex<Option<Arc<Acting>>>,
    /// Held by the one task that starts the connection; others wait for it and share its end.
    starting: tokio::sync::Mutex<()>,
    /// Counts the stops that were asked for; a start that sees it move gives up.
    stops: watch::Sender<u64>,
    changes: Arc<Changes>,
}

/// A running connection.
#[derive(Clone)]
pub(crate) struct Live {
    pub client: Client,
    pub process: Arc<Process>,
    pub asker: Arc<Asker>,
    pub since: u64,
    pub settle: Arc<settle::Settle>,
    pub told: Arc<told::Told>,
}

/// The settings that act on a server.
#[derive(Debug)]
pub(crate) struct Acting {
    /// Its own.
    pub own: ServerSettings,
    /// Those of the app.
    pub app: Settings,
}

/// The schemas of one tool, as text.
#[derive(Debug, Clone)]
pub(crate) struct Schemas {
    /// Of its arguments.
    pub input: String,
    /// Of its structured content.
    pub output: Option<String>,
    /// All that it says of itself, as it is kept once it is called; none where that is too much to keep.
    pub said: Option<String>,
}

#[derive(Debug)]
enum State {
    Idle,
    Starting { since: u64, waits_for: String },
    Ready(Box<Live>),
    Failed { reason: String, hint: String },
    Stopping,
}

impl std::fmt::Debug for Live {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Live")
            .field("asker", &self.asker)
            .field("since", &self.since)
            .finish_non_exhaustive()
    }
}

impl Live {
    /// True on a connection of the handshake revisions.
    pub fn is_legacy(&self) -> bool {
        self.client.era().kind == EraKind::Legacy
    }

    /// True where the server declares a feature.
    pub fn offers(&self, feature: &str) -> bool {
        self.client.identity().capabilities.get(feature).is_some()
    }

    /// True where the server declares this of a feature.
    pub fn declares(&self, feature: &str, what: &str) -> bool {
        let declared = self.client.identity().capabilities.get(feature);
        let declared = declared.and_then(|raw| RawMap::parse(raw.get()).ok());
        declared.is_some_and(|map| map.get(what).is_some_and(|raw| raw.get() == "true"))
    }
}

impl Link {
    /// A link that is not connected.
    pub fn new(name: &str, changes: Arc<Changes>) -> Self {
        Self {
            name: name.to_owned(),
            traffic: Arc::new(Traffic::new(changes.clone())),
            lists: AtomicU64::new(0),
            schemas: Mutex::default(),
            watched: Watched::default(),
            suggestions: watch::channel(0).0,
            state: Mutex::new(State::Idle),
            acting: Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            stops: watch::channel(0).0,
            changes,
        }
    }

    /// The settings that act on it; none where they must be read first.
    pub fn acting(&self) -> Option<Arc<Acting>> {
        self.acting
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone()
    }

    fn keep_acting(&self, acting: Option<Acting>) {
        *self.acting.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = acting.map(Arc::new);
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its frames and stderr lines.
    pub fn traffic(&self) -> &Arc<Traffic> {
        &self.traffic
    }

    /// How often it announced that its lists changed.
    pub fn list_changes(&self) -> u64 {
        self.lists.load(Ordering::Relaxed)
    }

    /// Its lists changed: who shows them asks for them again.
    pub(crate) fn lists_changed(&self) {
        self.lists.fetch_add(1, Ordering::Relaxed);
        self.changes.ring(Part::Servers);
    }

    /// Keeps the schemas of its tools.
    pub fn keep_schemas(&self, schemas: HashMap<String, Schemas>) {
        *self.schemas.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = schemas;
    }

    /// The schemas of a tool, where it was listed.
    pub fn schemas(&self, tool: &str) -> Option<Schemas> {
        self.schemas
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .get(tool)
            .cloned()
    }

    /// The running connection, where there is one.
    pub fn live(&self) -> Option<Live> {
        match &*self.state() {
            State::Ready(live) if !live.client.is_closed() => Some((**live).clone()),
            State::Ready(_) | State::Idle | State::Starting { .. } | State::Failed { .. } | State::Stopping => None,
        }
    }

    /// Stops the connection, or the start of one, and returns when the process has ended.
    pub async fn stop(&self) {
        self.stops.send_modify(|stops| *stops += 1);
        // A start that was under way has given up when this turn comes, and a later one waits until the stop is done.
        let _turn = self.starting.lock().await;
        let live = {
            let mut state = self.state();
            match std::mem::replace(&mut *state, State::Stopping) {
                State::Ready(live) => Some(live),
                State::Idle | State::Starting { .. } | State::Failed { .. } | State::Stopping => None,
            }
        };
        if let Some(live) = live {
            self.changes.ring(Part::Servers);
            live.process.stop().await;
        }
        self.set(State::Idle);
    }

    /// The state for a screen.
    pub fn view(&self) -> ConnectionView {
        match &*self.state() {
            State::Idle => ConnectionView::Idle,
            State::Starting { since, waits_for } => ConnectionView::Starting {
                since: *since,
                waits_for: waits_for.clone(),
            },
            State::Ready(live) => {
                let identity = live.client.identity();
                let line = |text: &str| harmless::line(text, bounds::LINE);
                ConnectionView::Ready {
                    since: live.since,
                    revision: line(&live.client.era().version),
                    modern: !live.is_legacy(),
                    pid: live.process.pid(),
                    suggests: live.offers("completions"),
                    watchable: live.declares("resources", "subscribe"),
                    identity: IdentityView {
                        name: line(&identity.name),
                        title: identity.title.as_deref().map(line),
                        version: line(&identity.version),
                        icon: icon::choose(&identity.icons, &mut bounds::ICONS.clone()),
                        instructions: identity
                            .instructions
                            .as_deref()
                            .map(|text| harmless::paragraph(text, bounds::PARAGRAPH)),
                    },
                }
            }
            State::Failed { reason, hint } => ConnectionView::Failed {
                reason: reason.clone(),
                hint: hint.clone(),
            },
            State::Stopping => ConnectionView::Stopping,
        }
    }

    /// Says that this connection ended, unless another one has taken its place.
    fn ended(&self, since: u64, reason: &str, expected: bool) {
        let mut state = self.state();
        if !matches!(&*state, State::Ready(live) if live.since == since) {
            return;
        }
        *state = if expected {
            State::Idle
        } else {
            State::Failed {
                reason: format!("it ended: {}", harmless::line(reason, bounds::LINE)),
                hint: "Look at its log, then connect again.".into(),
            }
        };
        drop(state);
        self.changes.ring(Part::Servers);
    }

    fn starting(&self, waits_for: &str) {
        self.set(State::Starting {
            since: clock::now(),
            waits_for: waits_for.to_owned(),
        });
    }

    fn set(&self, state: State) {
        *self.state() = state;
        self.changes.ring(Part::Servers);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
