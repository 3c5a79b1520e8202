//! Answers that their server calls fresh, by method and params. Nothing is asked for here, and nothing is asked for again by itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::link::lock;
use super::{EraKind, Outcome, Reply};
use crate::bounds::{CACHED, CACHED_BYTES, FRESH};
use crate::model::notice::Change;
use crate::model::read;
use crate::params::{Params, RawMap};

/// The methods whose answers may be kept.
const KEPT: [&str; 5] = [
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

/// Where the cache takes the time from.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The answers of one connection that may be used again. A cache belongs to one connection and so to one person; what is
/// private to that person is kept like the rest, with its scope.
pub struct Cache {
    clock: Clock,
    state: Mutex<State>,
}

/// Whether a kept answer will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// A fresh one will.
    Kept,
    /// The server is asked, whatever is kept.
    Anew,
}

/// Who else may be shown an answer, as its server says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheScope {
    /// Anybody.
    Public,
    /// Only who asked; also where the server does not say.
    Private,
}

/// A kept answer.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The answer.
    pub reply: Reply,
    /// How long from now it stays fresh.
    pub fresh_for: Duration,
    /// Who else may be shown it.
    pub scope: CacheScope,
}

/// A moment in the life of a cache: an answer to a request from before a change is not kept after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(u64);

#[derive(Default)]
struct State {
    entries: HashMap<String, Entry>,
    bytes: usize,
    changes: u64,
}

struct Entry {
    reply: Reply,
    until: Instant,
    scope: CacheScope,
    method: &'static str,
    uri: Option<String>,
    size: usize,
}

impl Default for Cache {
    fn default() -> Self {
        Self::with_clock(Arc::new(Instant::now))
    }
}

impl Cache {
    /// An empty cache with a time of its own.
    pub fn with_clock(clock: Clock) -> Self {
        Self {
            clock,
            state: Mutex::default(),
        }
    }

    /// The fresh answer to this request, where one is kept.
    pub fn lookup(&self, method: &str, params: &Params) -> Option<Kept> {
        let key = key(method, params)?.1;
        let now = (self.clock)();
        let mut state = lock(&self.state);
        let entry = state.entries.get(&key)?;
        if entry.until <= now {
            state.remove(&key);
            return None;
        }
        Some(Kept {
            reply: entry.reply.clone(),
            fresh_for: entry.until - now,
            scope: entry.scope,
        })
    }

    /// To be taken before a request is sent whose answer is to be stored.
    pub fn mark(&self) -> Mark {
        Mark(lock(&self.state).changes)
    }

    /// Keeps an answer, where its server calls it fresh and nothing changed since the mark. The answer to a retry is never kept, nor is one that
    /// asks for input. Gives how long it stays fresh, kept or not.
    pub fn store(&self, mark: Mark, method: &str, params: &Params, reply: &Reply) -> Option<Duration> {
        let (method, key) = key(method, params)?;
        let Ok(Outcome::Complete(result)) = reply.outcome(EraKind::Modern) else {
            return None;
        };
        let mut state = lock(&self.state);
        state.remove(&key);
        let fresh_for = time_to_live(&result)?;
        if state.changes != mark.0 {
            return None;
        }
        let now = (self.clock)();
        let size = key.len() + reply.frame.len() + reply.result.get().len();
        if size <= CACHED_BYTES {
            state.make_room(size, now);
            let entry = Entry {
                reply: reply.clone(),
                until: now + fresh_for,
                scope: scope(&result),
                method,
                uri: params.text("uri").filter(|_| method == "resources/read"),
                size,
            };
            state.bytes += size;
            state.entries.insert(key, entry);
        }
        Some(fresh_for)
    }

    /// Forgets what a change makes stale.
    pub fn invalidate(&self, change: &Change) {
        lock(&self.state).forget(|entry| match change {
            Change::Tools => entry.method == "tools/list",
            Change::Prompts => entry.method == "prompts/list",
            Change::Resources => matches!(entry.method, "resources/list" | "resources/templates/list"),
            // What changed may lie below what was read.
            Change::Resource { uri } => entry.uri.as_ref().is_some_and(|read| uri.starts_with(read.as_str())),
            Change::Everything => true,
        });
    }

    /// Forgets every answer to a method.
    pub fn forget(&self, method: &str) {
        lock(&self.state).forget(|entry| entry.method == method);
    }
}

impl State {
    fn forget(&mut self, which: impl Fn(&Entry) -> bool) {
        self.changes += 1;
        self.entries.retain(|_, entry| !which(entry));
        self.bytes = self.entries.values().map(|entry| entry.size).sum();
    }

    fn remove(&mut self, key: &str) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.size;
        }
    }

    /// Drops what is stale, then what will be soonest, until there is room for one more.
    fn make_room(&mut self, size: usize, now: Instant) {
        while self.entries.len() >= CACHED || self.bytes + size > CACHED_BYTES {
            self.entries.retain(|_, entry| entry.until > now);
            self.bytes = self.entries.values().map(|entry| entry.size).sum();
            let soonest = self.entries.iter().min_by_key(|(_, entry)| entry.until);
            let Some(key) = soonest.map(|(key, _)| key.clone()) else {
                return;
            };
            if self.entries.len() >= CACHED || self.bytes + size > CACHED_BYTES {
                self.remove(&key);
            }
        }
    }
}

/// The method and the key of a request whose answer may be kept.
fn key(method: &str, params: &Params) -> Option<(&'static str, String)> {
    let method = KEPT.into_iter().find(|kept| *kept == method)?;
    let retried = |(key, _): (&str, _)| matches!(key, "inputResponses" | "requestState");
    if params.iter().any(retried) {
        return None;
    }
    let own = params.iter().filter(|(key, _)| *key != "_meta");
    let own: RawMap = own.map(|(key, raw)| (key.to_owned(), raw.to_owned())).collect();
    Some((method, format!("{method} {}", own.to_raw())))
}

/// How long an answer is fresh; `None` where it is stale at once.
fn time_to_live(result: &RawMap) -> Option<Duration> {
    let raw = read::present(result, "ttlMs")?.get();
    let whole = raw.parse::<u64>().ok().or_else(|| {
        let number = raw.parse::<f64>().ok().filter(|number| *number >= 1.0)?;
        Some(number.min(FRESH.as_millis() as f64) as u64)
    })?;
    Some(Duration::from_millis(whole).min(FRESH)).filter(|time| !time.is_zero())
}

fn scope(result: &RawMap) -> CacheScope {
    match result.text("cacheScope").as_deref() {
        Some("public") => CacheScope::Public,
        Some(_) | None => CacheScope::Private,
    }
}
