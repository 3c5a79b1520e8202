//! What one round needs of the person: one question, one answer, and what follows from it. Nothing is sent here, and nothing
//! written down but what the model endpoint is asked where a grant lets it answer.

use std::sync::Arc;

use super::running::Running;
use crate::answer::build::{Occasion, Refused};
use crate::answer::roots::{Considered, verdict};
use crate::answer::sample::{self, refused_words as unsampled_words};
use crate::answer::{Answered, Need, SampleVerdict, Verdict};
use crate::connection::Live;
use crate::core::Core;
use crate::error::Result;
use crate::grant::NewGrant;
use crate::ledger::Channel;
use crate::question::{Answer, Question, Subject};
use crate::view::{DecidedBy, FormAction, Trust};

/// How the person's part of a round ended.
pub(super) enum Asked {
    /// With an answer to each need, in their order.
    Answered(Vec<(Channel, Answered)>),
    /// With a refusal that ends the call.
    Refused(Refusal),
}

/// A refusal that ends the call with nothing sent.
pub(super) struct Refusal {
    /// What is to be written down.
    pub rows: Vec<(Channel, Refused)>,
    /// Why the call ended.
    pub words: String,
}

impl Refusal {
    fn of_roots(by: DecidedBy, grants: Vec<NewGrant>) -> Self {
        let words = refused_words(&by);
        Self {
            rows: vec![(Channel::RootsInput, Refused::Decided { by, grants })],
            words,
        }
    }

    fn of_sample(verdict: SampleVerdict) -> Self {
        let words = unsampled_words(&verdict.by).to_owned();
        Self {
            rows: vec![(Channel::SampleInput, Refused::Sample(verdict))],
            words,
        }
    }

    fn of_silence(asks_roots: bool, need: Option<&Need>) -> Self {
        match need {
            _ if asks_roots => Self::of_roots(DecidedBy::Rule, Vec::new()),
            Some(need @ Need::Sample(_)) => Self {
                rows: vec![(channel(need), by_rule())],
                words: unsampled_words(&DecidedBy::Rule).to_owned(),
            },
            need => Self {
                rows: vec![(need.map_or(Channel::FormInput, channel), by_rule())],
                words: "Nobody answered the server's question. Nothing was sent.".to_owned(),
            },
        }
    }

    /// Another one of the same round; the first one's words stand.
    fn after(self, before: Option<Self>) -> Self {
        match before {
            None => self,
            Some(mut before) => {
                before.rows.extend(self.rows);
                before
            }
        }
    }
}

fn by_rule() -> Refused {
    Refused::Decided {
        by: DecidedBy::Rule,
        grants: Vec::new(),
    }
}

/// Everything that a round needs of the person is one question, with one answer. Several requests for roots are one part.
/// Where a grant lets the model endpoint answer, it is asked first; what it fails at is a part of the question.
///
/// # Errors
/// The database refused, or a grant was taken back meanwhile; then nothing may leave.
pub(super) async fn ask(
    core: &Arc<Core>,
    live: &Live,
    running: &Running,
    occasion: &Occasion,
    considered: Option<Considered>,
    needs: &mut [(String, Need)],
) -> Result<Asked> {
    let mut trust = Trust::Trusted;
    let mut roots = None;
    let mut parts = Vec::new();
    match considered {
        None => {}
        Some(Considered::Decided(Verdict::Refuse { by, grants })) => {
            return Ok(Asked::Refused(Refusal::of_roots(by, grants)));
        }
        Some(Considered::Decided(verdict)) => roots = Some(verdict),
        Some(Considered::Ask(question)) => {
            trust = question.trust;
            parts.push(question.subject);
        }
    }
    let asks_roots = !parts.is_empty();
    let mut models: Vec<Option<SampleVerdict>> = Vec::with_capacity(needs.len());
    for (key, need) in needs.iter_mut() {
        let mut model = None;
        match need {
            Need::Roots => {}
            Need::Form(form) => parts.push(Subject::Form(form.with_draft(running.gathered().draft(key)))),
            Need::Link(link) => parts.push(Subject::Link(link.clone())),
            Need::Sample(ask) => match sample::consider(core, occasion, (**ask).clone()).await? {
                sample::Considered::Answered(verdict) => model = Some(verdict),
                sample::Considered::Refused(verdict) => return Ok(Asked::Refused(Refusal::of_sample(verdict))),
                sample::Considered::Ask(ask) => parts.push(Subject::Sample(ask)),
            },
        }
        models.push(model);
    }
    let answers = if parts.is_empty() {
        Vec::new()
    } else {
        running.wait();
        let subject = if parts.len() == 1 {
            parts[0].clone()
        } else {
            Subject::Sheet(parts.clone())
        };
        let question = Question {
            asker: live.asker.clone(),
            trust,
            why: running.why(occasion.round),
            expires_at: None,
            subject,
        };
        match core.desk.ask(question).answer().await {
            Some(Answer::Sheet(answers)) => answers,
            Some(answer) => vec![answer],
            None => {
                let first = needs.first().map(|(_, need)| need);
                return Ok(Asked::Refused(Refusal::of_silence(asks_roots, first)));
            }
        }
    };
    Ok(decided(live, &parts, answers, asks_roots, roots, models, needs))
}

/// What the answers mean for each need. A refusal of roots or of a model's answer is one of the whole round.
fn decided(
    live: &Live,
    parts: &[Subject],
    answers: Vec<Answer>,
    asks_roots: bool,
    mut roots: Option<Verdict>,
    models: Vec<Option<SampleVerdict>>,
    needs: &[(String, Need)],
) -> Asked {
    let mut answers = answers.into_iter();
    let mut refused: Option<Refusal> = None;
    if asks_roots {
        match verdict(&live.asker, &parts[0], answers.next()) {
            Verdict::Refuse { by, grants } => refused = Some(Refusal::of_roots(by, grants)),
            shared => roots = Some(shared),
        }
    }
    let mut answered = Vec::with_capacity(needs.len());
    for ((_, need), model) in needs.iter().zip(models) {
        let answer = match (need, model) {
            (Need::Roots, _) => Answered::Roots(roots.clone().unwrap_or(Verdict::ShareNone)),
            (Need::Form(_), _) => match answers.next() {
                Some(Answer::Form { action, content }) => Answered::Form { action, content },
                Some(_) | None => Answered::Form {
                    action: FormAction::Cancel,
                    content: None,
                },
            },
            (Need::Link(_), _) => match answers.next() {
                Some(Answer::Link { action }) => Answered::Link { action },
                Some(_) | None => Answered::Link {
                    action: FormAction::Cancel,
                },
            },
            (Need::Sample(_), Some(verdict)) => Answered::Sample(verdict),
            (Need::Sample(_), None) => {
                let verdict = sample::verdict(&live.asker, answers.next());
                if verdict.result.is_none() {
                    refused = Some(Refusal::of_sample(verdict).after(refused));
                    continue;
                }
                Answered::Sample(verdict)
            }
        };
        answered.push((channel(need), answer));
    }
    match refused {
        Some(refusal) => Asked::Refused(refusal),
        None => Asked::Answered(answered),
    }
}

/// The channel of a need.
pub(super) fn channel(need: &Need) -> Channel {
    match need {
        Need::Roots => Channel::RootsInput,
        Need::Form(_) => Channel::FormInput,
        Need::Link(_) => Channel::LinkInput,
        Need::Sample(_) => Channel::SampleInput,
    }
}

fn refused_words(by: &DecidedBy) -> String {
    match by {
        DecidedBy::Person { remembered: Some(_) } => {
            "You said never to share folders with this server. Nothing was sent.".into()
        }
        DecidedBy::Person { remembered: None } => "You did not share your folders. Nothing was sent.".into(),
        DecidedBy::Grants { .. } => {
            "A remembered decision says never to share folders with this server. Nothing was sent.".into()
        }
        DecidedBy::Rule => "Nobody answered the question about your folders. Nothing was sent.".into(),
    }
}
