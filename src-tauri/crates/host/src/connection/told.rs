//! What a legacy server was told of the roots, so that it is told to ask again when, and only when, that set changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use crate::answer::Verdict;
use crate::answer::build::Shared;
use crate::bounds;
use crate::core::Core;
use crate::error::Result;
use crate::grant::{self, Covers, Decision, Effect};
use crate::server::Fingerprint;
use crate::uri;
use crate::view::DisclosedFolder;
use crate::workspace;

/// What one connection was told.
#[derive(Debug, Default)]
pub(crate) struct Told(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The roots of the last answer; none where it was never given roots.
    shared: Option<Shared>,
    /// True when a grant covers that answer, so that it falls with the grant.
    by_grant: bool,
    /// A yes that came after the server had stopped waiting, and when.
    late: Option<(Verdict, Instant)>,
    /// What it asked for though it was not offered: when a row was last written, and how often it asked since.
    not_offered: BTreeMap<String, (Instant, u64)>,
}

impl Told {
    /// The server was told these, under a grant or for this once.
    pub fn told(&self, shared: Shared, by_grant: bool) {
        let mut state = self.state();
        state.shared = Some(shared);
        state.by_grant = by_grant;
    }

    /// Keeps a late yes for the next time.
    pub fn keep_late(&self, verdict: Verdict) {
        self.state().late = Some((verdict, Instant::now()));
    }

    /// Takes the late yes.
    pub fn take_late(&self) -> Option<Verdict> {
        let (verdict, given) = self.state().late.take()?;
        (given.elapsed() < bounds::LATE_ANSWER).then_some(verdict)
    }

    /// Counts a request for what was not offered. Gives how often it was asked since the last row where a new row is due.
    pub fn note_not_offered(&self, method: &str) -> Option<u64> {
        let mut state = self.state();
        if let Some((written, count)) = state.not_offered.get_mut(method) {
            if written.elapsed() < bounds::NOT_OFFERED_EVERY {
                *count += 1;
                return None;
            }
            *written = Instant::now();
            return Some(std::mem::take(count));
        }
        // Methods that reach the host are few: the exchange layer answers all others itself.
        state.not_offered.insert(method.to_owned(), (Instant::now(), 0));
        Some(0)
    }

    /// True when anything was told on this connection.
    pub fn is_told(&self) -> bool {
        self.state().shared.as_ref().is_some_and(|shared| !shared.is_empty())
    }

    /// Takes in what would be told now; true when it differs from what was told.
    fn differs(&self, now: impl FnOnce(&Shared, bool) -> Shared) -> bool {
        let mut state = self.state();
        let Some(told) = &state.shared else { return false };
        let now = now(told, state.by_grant);
        let differs = now != *told;
        state.shared = Some(now);
        differs
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Tells each legacy server whose told set changed to ask again. Called after folders or grants changed.
pub(crate) async fn tell_changes(core: &Arc<Core>) {
    for link in core.all_links() {
        let Some(live) = link.live().filter(super::Live::is_legacy) else {
            continue;
        };
        let (told, fingerprint) = (live.told.clone(), live.asker.fingerprint.clone());
        let differs = core.blocking(move |core| changed(core, &told, &fingerprint)).await;
        if matches!(differs, Ok(true)) && live.client.declared().roots {
            let _ = live.client.notify("notifications/roots/list_changed", None).await;
        }
    }
}

/// What was told stays told as long as its root is there under the same name and no grant on it was taken back; where
/// the grants alone decide, they say what would be told.
fn changed(core: &Core, told: &Told, fingerprint: &Fingerprint) -> Result<bool> {
    let roots = workspace::probed(&core.store)?;
    let grants = core.store.grants_of(fingerprint)?;
    let entry = |probed: &crate::root::Probed| DisclosedFolder {
        uri: uri::of(&probed.root.path),
        name: probed.root.name.clone(),
    };
    let decided = grant::decide(&grants, &roots);
    Ok(told.differs(|told, by_grant| match decided {
        Decision::Allowed { roots: allowed, .. } => roots
            .iter()
            .filter(|probed| allowed.contains(&probed.root.id))
            .map(entry)
            .collect(),
        Decision::Denied { .. } => Vec::new(),
        Decision::Ask { .. } => {
            let stands = |probed: &crate::root::Probed| {
                let newest = grants
                    .iter()
                    .rev()
                    .find(|grant| grant.covers == Covers::Root(probed.root.id));
                newest.map_or(!by_grant, |grant| grant.effect == Effect::Allow)
            };
            let there: Shared = roots.iter().filter(|probed| stands(probed)).map(entry).collect();
            told.iter().filter(|folder| there.contains(folder)).cloned().collect()
        }
    }))
}
