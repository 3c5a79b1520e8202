//! Grants, and the pure decision that they give. No clock, no disk, no store: what is decided depends on the arguments.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::root::{Probed, RootId};
use crate::server::Fingerprint;
use crate::view::Lifetime;

/// Number of a grant; never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GrantId(pub u64);

/// What a grant says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The root may be told to the server.
    Allow,
    /// It may not.
    Deny,
}

/// What a grant is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covers {
    /// One root.
    Root(RootId),
    /// Every root ("never for this server").
    EveryRoot,
    /// Answers of a model's.
    Sampling,
}

/// A remembered decision: fingerprint × what it covers × effect × lifetime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Its number.
    pub id: GrantId,
    /// The definition it hangs on.
    pub fingerprint: Fingerprint,
    /// The server's name when it was given.
    pub server: String,
    /// What it is about.
    pub covers: Covers,
    /// Where the root led when the grant was given; for a model's answers, the endpoint's address.
    pub target: Option<PathBuf>,
    /// Allow or deny.
    pub effect: Effect,
    /// Session or always.
    pub lifetime: Lifetime,
    /// When it was given, in milliseconds since 1970.
    pub given_at: u64,
}

/// A grant to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    /// The definition it hangs on.
    pub fingerprint: Fingerprint,
    /// The server's name.
    pub server: String,
    /// What it is about.
    pub covers: Covers,
    /// Where the root leads now; for a model's answers, the endpoint's address.
    pub target: Option<PathBuf>,
    /// Allow or deny.
    pub effect: Effect,
    /// Session or always.
    pub lifetime: Lifetime,
}

/// What the grants say to a request for roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// These roots may leave, in order; the rest was decided against. Ready ones only.
    Allowed {
        /// The roots.
        roots: Vec<RootId>,
        /// The grants that say so.
        by: Vec<GrantId>,
        /// Roots that are allowed and are not ready now.
        sick: Vec<RootId>,
    },
    /// Nothing may leave.
    Denied {
        /// The grant that says so.
        by: GrantId,
    },
    /// The person must be asked.
    Ask {
        /// Roots that a grant allows already.
        allowed: Vec<RootId>,
        /// Roots that a grant allowed while they led elsewhere.
        moved: Vec<RootId>,
    },
}

/// Decides on a request for roots of one server by its live grants (`grants` holds no other's).
///
/// Precedence: a denial of every root wins. Then each root goes by its newest grant. An allowance counts only while the
/// root leads where it led when it was given. Where any ready root is undecided, or none is allowed, the person is asked:
/// a folder that was added later is neither shared nor withheld in silence.
pub fn decide(grants: &[Grant], roots: &[Probed]) -> Decision {
    if let Some(never) = grants
        .iter()
        .rev()
        .find(|grant| grant.covers == Covers::EveryRoot && grant.effect == Effect::Deny)
    {
        return Decision::Denied { by: never.id };
    }
    let (mut allowed, mut sick, mut moved, mut by) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut undecided = false;
    for probed in roots {
        let newest = grants
            .iter()
            .rev()
            .find(|grant| grant.covers == Covers::Root(probed.root.id));
        match newest {
            // What can't be shared now needs no decision now.
            None => undecided |= probed.is_ready(),
            Some(Grant {
                effect: Effect::Deny, ..
            }) => {}
            Some(grant) if !probed.is_ready() => {
                sick.push(probed.root.id);
                by.push(grant.id);
            }
            Some(grant) if grant.target == probed.target => {
                allowed.push(probed.root.id);
                by.push(grant.id);
            }
            Some(_) => moved.push(probed.root.id),
        }
    }
    if undecided || !moved.is_empty() || allowed.is_empty() {
        Decision::Ask { allowed, moved }
    } else {
        Decision::Allowed {
            roots: allowed,
            by,
            sick,
        }
    }
}

/// What the grants say to a model request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleDecision {
    /// The endpoint may answer without a question.
    Allowed {
        /// The grant that says so.
        by: GrantId,
    },
    /// Nothing may leave.
    Denied {
        /// The grant that says so.
        by: GrantId,
    },
    /// The person must be asked.
    Ask,
}

/// Decides on a model request of one server by its live grants (`grants` holds no other's). `place` is the address of the
/// endpoint that would be asked. A denial wins; an allowance counts for the endpoint it was given for and no other.
pub fn decide_sample(grants: &[Grant], place: Option<&str>) -> SampleDecision {
    let about = || grants.iter().rev().filter(|grant| grant.covers == Covers::Sampling);
    if let Some(never) = about().find(|grant| grant.effect == Effect::Deny) {
        return SampleDecision::Denied { by: never.id };
    }
    match (about().next(), place) {
        (Some(grant), Some(place)) if grant.target.as_deref() == Some(place.as_ref()) => {
            SampleDecision::Allowed { by: grant.id }
        }
        _ => SampleDecision::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::Root;
    use crate::view::Health;

    fn root(id: u64, health: Health) -> Probed {
        let path = PathBuf::from(format!("/w/{id}"));
        Probed {
            root: Root {
                id: RootId(id),
                path: path.clone(),
                name: id.to_string(),
            },
            health,
            target: Some(path),
        }
    }

    fn grant(id: u64, root: Option<u64>, effect: Effect) -> Grant {
        Grant {
            id: GrantId(id),
            fingerprint: Fingerprint::stored("f".into()),
            server: "s".into(),
            covers: root.map_or(Covers::EveryRoot, |root| Covers::Root(RootId(root))),
            target: root.map(|root| PathBuf::from(format!("/w/{root}"))),
            effect,
            lifetime: Lifetime::Always,
            given_at: 0,
        }
    }

    fn check(grants: &[Grant], roots: &[Probed], expect: &Decision) {
        assert_eq!(&decide(grants, roots), expect, "grants {grants:?} on roots {roots:?}");
    }

    #[test]
    fn without_a_grant_the_person_is_asked() {
        check(
            &[],
            &[root(1, Health::Ready)],
            &Decision::Ask {
                allowed: vec![],
                moved: vec![],
            },
        );
        check(
            &[],
            &[],
            &Decision::Ask {
                allowed: vec![],
                moved: vec![],
            },
        );
    }

    #[test]
    fn every_root_must_be_decided() {
        let two = [root(1, Health::Ready), root(2, Health::Ready)];
        check(
            &[grant(1, Some(1), Effect::Allow)],
            &two,
            &Decision::Ask {
                allowed: vec![RootId(1)],
                moved: vec![],
            },
        );
        check(
            &[grant(1, Some(1), Effect::Allow), grant(2, Some(2), Effect::Deny)],
            &two,
            &Decision::Allowed {
                roots: vec![RootId(1)],
                by: vec![GrantId(1)],
                sick: vec![],
            },
        );
        check(
            &[grant(1, Some(1), Effect::Deny), grant(2, Some(2), Effect::Deny)],
            &two,
            &Decision::Ask {
                allowed: vec![],
                moved: vec![],
            },
        );
    }

    #[test]
    fn never_wins_over_every_allowance() {
        let grants = [grant(1, None, Effect::Deny), grant(2, Some(1), Effect::Allow)];
        check(&grants, &[root(1, Health::Ready)], &Decision::Denied { by: GrantId(1) });
    }

    #[test]
    fn a_newer_grant_counts_before_an_older_one() {
        let grants = [grant(1, Some(1), Effect::Allow), grant(2, Some(1), Effect::Deny)];
        check(
            &grants,
            &[root(1, Health::Ready)],
            &Decision::Ask {
                allowed: vec![],
                moved: vec![],
            },
        );
    }

    #[test]
    fn a_root_that_leads_elsewhere_or_is_sick_is_not_covered() {
        let mut moved = root(1, Health::Ready);
        moved.target = Some("/elsewhere".into());
        check(
            &[grant(1, Some(1), Effect::Allow)],
            &[moved],
            &Decision::Ask {
                allowed: vec![],
                moved: vec![RootId(1)],
            },
        );
        let grants = [grant(1, Some(1), Effect::Allow), grant(2, Some(2), Effect::Allow)];
        check(
            &grants,
            &[root(1, Health::Missing), root(2, Health::Ready)],
            &Decision::Allowed {
                roots: vec![RootId(2)],
                by: vec![GrantId(1), GrantId(2)],
                sick: vec![RootId(1)],
            },
        );
    }
    #[test]
    fn a_model_is_asked_unasked_only_where_it_was_allowed_for_this_endpoint() {
        let about = |id: u64, effect, place: Option<&str>| Grant {
            covers: Covers::Sampling,
            target: place.map(PathBuf::from),
            ..grant(id, None, effect)
        };
        let check = |grants: &[Grant], place: Option<&str>, expect: SampleDecision| {
            assert_eq!(decide_sample(grants, place), expect, "grants {grants:?} for {place:?}");
        };
        let here = Some("http://a");
        check(&[], here, SampleDecision::Ask);
        let yes = about(1, Effect::Allow, here);
        check(
            std::slice::from_ref(&yes),
            here,
            SampleDecision::Allowed { by: GrantId(1) },
        );
        check(std::slice::from_ref(&yes), Some("http://b"), SampleDecision::Ask);
        check(std::slice::from_ref(&yes), None, SampleDecision::Ask);
        let never = about(2, Effect::Deny, None);
        check(
            &[never.clone(), yes.clone()],
            here,
            SampleDecision::Denied { by: GrantId(2) },
        );
        check(&[grant(3, None, Effect::Deny)], here, SampleDecision::Ask);
        assert_eq!(
            decide(&[never], &[root(1, Health::Ready)]),
            Decision::Ask {
                allowed: vec![],
                moved: vec![]
            },
            "what is said of models says nothing of folders"
        );
    }
}
