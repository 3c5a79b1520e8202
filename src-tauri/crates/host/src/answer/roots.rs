//! Requests for roots: what the grants say, the question where they say nothing, and the verdict of an answer.

use std::sync::Arc;

use super::Verdict;
use crate::core::Core;
use crate::error::Result;
use crate::grant::{self, Covers, Decision, Effect, NewGrant};
use crate::question::{Answer, Asker, Question, Subject};
use crate::root::{Probed, RootId};
use crate::view::{DecidedBy, Lifetime, RootChoice, RootsChoice, Trust, WhyView};
use crate::workspace;

/// Where a request for roots stands.
#[derive(Debug)]
pub(crate) enum Considered {
    /// The grants decide.
    Decided(Verdict),
    /// The person must.
    Ask(Box<Question>),
}

/// Looks at the roots and the grants.
///
/// # Errors
/// The database refused; then nothing may leave.
pub(crate) async fn consider(core: &Arc<Core>, asker: &Arc<Asker>, why: WhyView) -> Result<Considered> {
    let asker = asker.clone();
    core.blocking(move |core| consider_now(core, &asker, why)).await
}

/// The same, on a thread that may wait for the disk.
pub(super) fn consider_now(core: &Core, asker: &Arc<Asker>, why: WhyView) -> Result<Considered> {
    let seen = workspace::probed(&core.store)?;
    let grants = core.store.grants_of(&asker.fingerprint)?;
    Ok(match grant::decide(&grants, &seen) {
        Decision::Allowed { roots, by, sick } => {
            // The sick ones go along, so that the record says that they stayed and why.
            let order = seen
                .iter()
                .map(|probed| probed.root.id)
                .filter(|id| roots.contains(id) || sick.contains(id));
            let by = DecidedBy::Grants {
                ids: by.iter().map(|id| id.0).collect(),
            };
            Considered::Decided(Verdict::Share {
                roots: order.collect(),
                seen,
                by,
                grants: Vec::new(),
            })
        }
        Decision::Denied { by } => Considered::Decided(Verdict::Refuse {
            by: DecidedBy::Grants { ids: vec![by.0] },
            grants: Vec::new(),
        }),
        Decision::Ask { allowed, moved } => {
            let trust = acquaintance(core, asker)?;
            let choices = seen
                .iter()
                .map(|probed| choice(probed, seen.len() == 1, &allowed, &moved))
                .collect();
            let subject = Subject::Roots { choices, seen };
            Considered::Ask(Box::new(Question {
                asker: asker.clone(),
                trust,
                why,
                expires_at: None,
                subject,
            }))
        }
    })
}

/// What an answer to a roots question means. No answer is a refusal by rule.
pub(crate) fn verdict(asker: &Asker, subject: &Subject, answer: Option<Answer>) -> Verdict {
    let Subject::Roots { seen, .. } = subject else {
        return refused_by_rule();
    };
    let Some(Answer::Roots { choice, roots }) = answer else {
        return refused_by_rule();
    };
    let remembered = match choice {
        RootsChoice::ShareSession => Some(Lifetime::Session),
        RootsChoice::ShareAlways | RootsChoice::Never => Some(Lifetime::Always),
        RootsChoice::ShareOnce | RootsChoice::ShareNone | RootsChoice::Refuse => None,
    };
    let by = DecidedBy::Person { remembered };
    match choice {
        RootsChoice::ShareOnce | RootsChoice::ShareSession | RootsChoice::ShareAlways => {
            let grants = remembered.map_or_else(Vec::new, |lifetime| remember(asker, seen, &roots, lifetime));
            Verdict::Share {
                roots,
                seen: seen.clone(),
                by,
                grants,
            }
        }
        RootsChoice::ShareNone => Verdict::ShareNone,
        RootsChoice::Refuse => Verdict::Refuse { by, grants: Vec::new() },
        RootsChoice::Never => {
            let never = new_grant(asker, None, Effect::Deny, Lifetime::Always);
            Verdict::Refuse {
                by,
                grants: vec![never],
            }
        }
    }
}

/// What is remembered of a sharing answer: the ticked roots are allowed, the other ready ones are not, so that the same
/// question does not come back until the folders change.
fn remember(asker: &Asker, seen: &[Probed], ticked: &[RootId], lifetime: Lifetime) -> Vec<NewGrant> {
    let effect = |probed: &Probed| {
        if ticked.contains(&probed.root.id) {
            Effect::Allow
        } else {
            Effect::Deny
        }
    };
    let ready = seen.iter().filter(|probed| probed.is_ready());
    ready
        .map(|probed| new_grant(asker, Some(probed), effect(probed), lifetime))
        .collect()
}

fn new_grant(asker: &Asker, root: Option<&Probed>, effect: Effect, lifetime: Lifetime) -> NewGrant {
    NewGrant {
        fingerprint: asker.fingerprint.clone(),
        server: asker.server.clone(),
        covers: root.map_or(Covers::EveryRoot, |probed| Covers::Root(probed.root.id)),
        target: root.and_then(|probed| probed.target.clone()),
        effect,
        lifetime,
    }
}

fn refused_by_rule() -> Verdict {
    Verdict::Refuse {
        by: DecidedBy::Rule,
        grants: Vec::new(),
    }
}

/// Ticked at first is only what was shared with this server before, or the one folder there is: of several folders the
/// person picks, so that a hasty click can't give away more than was looked at.
fn choice(probed: &Probed, only: bool, allowed: &[RootId], moved: &[RootId]) -> RootChoice {
    let id = probed.root.id;
    let view = probed.view();
    RootChoice {
        id: id.0,
        name: view.name,
        path: view.path,
        real_path: view.real_path,
        ticked: probed.is_ready() && (only || allowed.contains(&id)) && !moved.contains(&id),
        note: moved
            .contains(&id)
            .then(|| "shared before; it leads to another place now".to_owned()),
        health: view.health,
    }
}

/// Whether this definition asked before, another of its name did, or none.
pub(super) fn acquaintance(core: &Core, asker: &Asker) -> Result<Trust> {
    Ok(match core.store.asked_before(&asker.server, &asker.fingerprint)? {
        (true, _) => Trust::Trusted,
        (false, true) => Trust::Changed,
        (false, false) => Trust::New,
    })
}
