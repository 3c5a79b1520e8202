//! From answers to what leaves: the exact JSON, the rows of the record, and the commit before anything is written.

use std::sync::Arc;

use gatehouse_mcp::params::{Raw, RawMap};
use serde::Serialize;
use serde_json::value::to_raw_value;

use super::roots::{Considered, consider_now};
use super::{Answered, SampleVerdict, Verdict};
use crate::core::Core;
use crate::error::Result;
use crate::grant::NewGrant;
use crate::ledger::{Channel, Disclosed, Entry};
use crate::question::Asker;
use crate::root::{Probed, RootId};
use crate::uri;
use crate::view::{CallRef, DecidedBy, DisclosedFolder, FormAction, Outcome, WhyView, WithheldFolder};
use crate::workspace;

/// The circumstances of one round's answers.
#[derive(Debug, Clone)]
pub(crate) struct Occasion {
    pub asker: Arc<Asker>,
    /// The call's method and target, harmless.
    pub words: Option<String>,
    pub call: Option<CallRef>,
    pub round: u64,
}

/// The roots that left with an answer, for whoever must tell the server when they change.
pub(crate) type Shared = Vec<DisclosedFolder>;

/// Builds the responses, writes them down, and gives them back to be sent. The disk is looked at again here: what changed
/// since the question is left out. Nothing is given back unless everything is in the record.
///
/// # Errors
/// The database refused; then nothing may leave.
pub(crate) async fn commit(
    core: &Arc<Core>,
    occasion: Occasion,
    answers: Vec<(Channel, Answered)>,
) -> Result<(Vec<Disclosed>, Shared)> {
    core.blocking(move |core| {
        let now = if answers.iter().any(|(_, answer)| matches!(answer, Answered::Roots(_))) {
            workspace::probed(&core.store)?
        } else {
            Vec::new()
        };
        write_down(core, &occasion, answers, &now)
    })
    .await
}

/// What became of requests for roots that were looked at.
pub(crate) enum Looked {
    /// The grants allow it, and the answers stand in the record.
    WrittenDown(Vec<Disclosed>, Shared),
    /// The grants forbid it, or the person must decide.
    Considered(Considered),
}

/// Considers the requests for roots of one round and, where grants allow them, writes `count` answers down in the same
/// go: what was looked at a moment ago is what leaves, and the call waits for one thread and one look at the disk.
///
/// # Errors
/// The database refused; then nothing may leave.
pub(crate) async fn look(core: &Arc<Core>, occasion: Occasion, why: WhyView, count: usize) -> Result<Looked> {
    core.blocking(move |core| {
        let considered = consider_now(core, &occasion.asker, why)?;
        let Considered::Decided(Verdict::Share {
            roots,
            seen,
            by,
            grants,
        }) = considered
        else {
            return Ok(Looked::Considered(considered));
        };
        let now = seen.clone();
        let shared = Answered::Roots(Verdict::Share {
            roots,
            seen,
            by,
            grants,
        });
        let answers = vec![(Channel::RootsInput, shared); count];
        let (disclosed, shared) = write_down(core, &occasion, answers, &now)?;
        Ok(Looked::WrittenDown(disclosed, shared))
    })
    .await
}

fn write_down(
    core: &Core,
    occasion: &Occasion,
    answers: Vec<(Channel, Answered)>,
    now: &[Probed],
) -> Result<(Vec<Disclosed>, Shared)> {
    let mut grants: Vec<NewGrant> = Vec::new();
    let mut entries = Vec::with_capacity(answers.len());
    for (channel, answer) in answers {
        entries.push(entry(occasion, channel, answer, now, &mut grants));
    }
    let shared = entries.iter().flat_map(|entry: &Entry| entry.folders.clone()).collect();
    Ok((core.ledger.commit(&entries, &grants)?, shared))
}

/// Writes down that nothing left, with what is remembered of the refusal.
///
/// # Errors
/// The database refused.
pub(crate) async fn note(core: &Arc<Core>, occasion: Occasion, channel: Channel, refused: Refused) -> Result<()> {
    core.blocking(move |core| {
        let (outcome, decided_by, grants, note) = match refused {
            Refused::Decided { by, grants } => (refusal(channel), by, grants, None),
            Refused::Sample(verdict) => (Outcome::SampleRefused, verdict.by, verdict.grants, verdict.note),
            Refused::NotOffered { note } => (Outcome::NotOffered, DecidedBy::Rule, Vec::new(), Some(note)),
            Refused::Expired => (Outcome::Expired, DecidedBy::Rule, Vec::new(), None),
        };
        let entry = Entry {
            outcome,
            decided_by,
            note,
            ..empty(&occasion, channel)
        };
        core.ledger.commit(&[entry], &grants).map(drop)
    })
    .await
}

/// Writes down what became of pages that were to be visited before a call. No answer leaves: the call goes again or ends.
///
/// # Errors
/// The database refused.
pub(crate) async fn note_pages(
    core: &Arc<Core>,
    occasion: Occasion,
    actions: Vec<FormAction>,
    by: DecidedBy,
) -> Result<()> {
    core.blocking(move |core| {
        let entry = |action: FormAction| Entry {
            outcome: match action {
                FormAction::Accept => Outcome::LinkOpened,
                FormAction::Decline | FormAction::Cancel => Outcome::LinkRefused,
            },
            decided_by: by.clone(),
            ..empty(&occasion, Channel::LinkError)
        };
        let entries: Vec<Entry> = actions.into_iter().map(entry).collect();
        core.ledger.commit(&entries, &[]).map(drop)
    })
    .await
}

/// Why nothing left.
#[derive(Debug, Clone)]
pub(crate) enum Refused {
    Decided { by: DecidedBy, grants: Vec<NewGrant> },
    Sample(SampleVerdict),
    NotOffered { note: String },
    Expired,
}

/// The exact text of an answer that tells these roots.
pub(crate) fn roots_json(roots: &[&Probed]) -> Raw {
    #[derive(Serialize)]
    struct RootJson<'a> {
        uri: String,
        name: &'a str,
    }
    #[derive(Serialize)]
    struct RootsJson<'a> {
        roots: Vec<RootJson<'a>>,
    }
    let roots = roots
        .iter()
        .map(|probed| RootJson {
            uri: uri::of(&probed.root.path),
            name: &probed.root.name,
        })
        .collect();
    to_raw_value(&RootsJson { roots }).expect("roots serialise")
}

fn entry(occasion: &Occasion, channel: Channel, answer: Answered, now: &[Probed], grants: &mut Vec<NewGrant>) -> Entry {
    let empty = empty(occasion, channel);
    match answer {
        Answered::Roots(Verdict::Share {
            roots,
            seen,
            by,
            grants: remembered,
        }) => {
            for grant in remembered {
                if !grants.contains(&grant) {
                    grants.push(grant);
                }
            }
            let (leave, withheld) = split(&roots, &seen, now);
            Entry {
                outcome: if leave.is_empty() {
                    Outcome::SharedNone
                } else {
                    Outcome::Shared
                },
                decided_by: by,
                folders: leave
                    .iter()
                    .map(|p| DisclosedFolder {
                        uri: uri::of(&p.root.path),
                        name: p.root.name.clone(),
                    })
                    .collect(),
                withheld,
                sent: Some(roots_json(&leave)),
                ..empty
            }
        }
        Answered::Roots(Verdict::ShareNone) => Entry {
            outcome: Outcome::SharedNone,
            sent: Some(roots_json(&[])),
            ..empty
        },
        // A refusal is noted by `note` and never gets here with something to send.
        Answered::Roots(Verdict::Refuse { by, .. }) => Entry {
            outcome: Outcome::Refused,
            decided_by: by,
            ..empty
        },
        Answered::Sample(verdict) => {
            for grant in verdict.grants {
                if !grants.contains(&grant) {
                    grants.push(grant);
                }
            }
            Entry {
                outcome: if verdict.result.is_some() {
                    Outcome::Sampled
                } else {
                    Outcome::SampleRefused
                },
                decided_by: verdict.by,
                sent: verdict.result,
                note: verdict.note,
                ..empty
            }
        }
        Answered::Link { action } => {
            let word = word(action);
            let outcome = if action == FormAction::Accept {
                Outcome::LinkOpened
            } else {
                Outcome::LinkRefused
            };
            Entry {
                outcome,
                sent: Some(RawMap::new().with("action", &word).to_raw()),
                note: Some(word.to_owned()),
                ..empty
            }
        }
        Answered::Form { action, content } => {
            let word = word(action);
            let sent = RawMap::new().with("action", &word);
            let (outcome, sent) = match content {
                Some(content) => (Outcome::FormSent, sent.with_raw("content", content)),
                None => (Outcome::FormRefused, sent),
            };
            Entry {
                outcome,
                sent: Some(sent.to_raw()),
                note: Some(word.to_owned()),
                ..empty
            }
        }
    }
}

fn word(action: FormAction) -> &'static str {
    match action {
        FormAction::Accept => "accept",
        FormAction::Decline => "decline",
        FormAction::Cancel => "cancel",
    }
}

/// Splits the chosen roots into those that leave and those that stay. What leaves is exactly what was seen when it was
/// decided; whatever changed since, on the disk or in the list, stays.
fn split<'a>(chosen: &[RootId], seen: &[Probed], now: &'a [Probed]) -> (Vec<&'a Probed>, Vec<WithheldFolder>) {
    let (mut leave, mut withheld) = (Vec::new(), Vec::new());
    for id in chosen {
        let before = seen.iter().find(|probed| probed.root.id == *id);
        let after = now.iter().find(|probed| probed.root.id == *id);
        match (before, after) {
            (Some(before), Some(after)) => match changed(before, after) {
                None => leave.push(after),
                Some(reason) => withheld.push(WithheldFolder {
                    path: before.shown_path(),
                    reason,
                }),
            },
            (Some(before), None) => {
                let reason = "it was removed from the folders meanwhile".to_owned();
                withheld.push(WithheldFolder {
                    path: before.shown_path(),
                    reason,
                });
            }
            // Nobody was asked about a root that was not seen.
            (None, _) => {}
        }
    }
    (leave, withheld)
}

/// Why a root can't leave as it was decided; none where nothing changed.
fn changed(before: &Probed, after: &Probed) -> Option<String> {
    if let Some(trouble) = after.trouble() {
        return Some(trouble);
    }
    let reason = if !before.is_ready() {
        "it could not be shared when it was decided about"
    } else if before.target != after.target {
        "it leads to another place than when it was asked about"
    } else if before.root != after.root {
        "it was renamed after it was asked about"
    } else {
        return None;
    };
    Some(reason.to_owned())
}

fn refusal(channel: Channel) -> Outcome {
    match channel {
        Channel::SampleInput | Channel::SampleRequest => Outcome::SampleRefused,
        _ => Outcome::Refused,
    }
}

/// A row that says nothing yet.
pub(super) fn empty(occasion: &Occasion, channel: Channel) -> Entry {
    Entry {
        asker: occasion.asker.clone(),
        channel,
        occasion: occasion.words.clone(),
        call: occasion.call,
        round: occasion.round,
        outcome: Outcome::Refused,
        decided_by: DecidedBy::Person { remembered: None },
        folders: Vec::new(),
        withheld: Vec::new(),
        sent: None,
        note: None,
    }
}
