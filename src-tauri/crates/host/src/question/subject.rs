//! What each kind of subject is on a screen, which two are the same question, and which answer fits which.

use super::{Answer, Question, Subject};
use crate::bounds;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::link::Link;
use crate::root::RootId;
use crate::view::{AnswerInput, FormAction, Health, QuestionBody, RootsChoice, SampleChoice};

/// What is shown of it.
pub(super) fn body(subject: &Subject) -> QuestionBody {
    match subject {
        Subject::Trust { previous } => QuestionBody::Trust {
            previous: previous.clone(),
        },
        Subject::Roots { choices, .. } => QuestionBody::Roots {
            folders: choices.clone(),
        },
        Subject::Form(form) => form.view(),
        Subject::Link(ask) => QuestionBody::Link {
            message: harmless::paragraph(&ask.message, bounds::PARAGRAPH),
            url: harmless::line(&ask.url, bounds::PARAGRAPH),
            link: ask.link.as_ref().ok().map(Link::view),
            problem: ask.link.as_ref().err().cloned(),
        },
        Subject::Sample(ask) => ask.view(),
        Subject::Sheet(parts) => QuestionBody::Sheet {
            parts: parts.iter().map(body).collect(),
        },
    }
}

/// Two roots questions of one definition about the same roots are one, and so are two trust questions.
pub(super) fn is_equal(open: &Question, new: &Question) -> bool {
    let same_asker = open.asker.fingerprint == new.asker.fingerprint;
    match (&open.subject, &new.subject) {
        (Subject::Roots { choices: a, .. }, Subject::Roots { choices: b, .. }) => same_asker && a == b,
        (Subject::Trust { .. }, Subject::Trust { .. }) => same_asker,
        (
            Subject::Roots { .. }
            | Subject::Trust { .. }
            | Subject::Form(_)
            | Subject::Link(_)
            | Subject::Sample(_)
            | Subject::Sheet(_),
            _,
        ) => false,
    }
}

/// What was chosen, where it fits what was asked.
///
/// # Errors
/// It does not fit, in words.
pub(super) fn fit(subject: &Subject, input: &AnswerInput) -> Result<Answer> {
    match (subject, input) {
        (Subject::Trust { .. }, AnswerInput::Trust { start }) => Ok(Answer::Trust { start: *start }),
        (Subject::Roots { choices, .. }, AnswerInput::Roots { choice, folders }) => {
            let roots = match choice {
                RootsChoice::ShareNone | RootsChoice::Refuse | RootsChoice::Never => Vec::new(),
                RootsChoice::ShareOnce | RootsChoice::ShareSession | RootsChoice::ShareAlways => {
                    if let Some(strange) = folders
                        .iter()
                        .find(|id| !choices.iter().any(|choice| choice.id == **id))
                    {
                        return Err(HostError::NotFound {
                            what: format!("folder number {strange} in this question"),
                        });
                    }
                    if let Some(sick) = choices
                        .iter()
                        .find(|choice| folders.contains(&choice.id) && choice.health != Health::Ready)
                    {
                        return Err(HostError::Invalid {
                            reason: format!("folder {} can't be shared as it is now", sick.path),
                        });
                    }
                    let ticked = choices.iter().filter(|choice| folders.contains(&choice.id));
                    let roots: Vec<RootId> = ticked.map(|choice| RootId(choice.id)).collect();
                    if roots.is_empty() {
                        return Err(HostError::Invalid {
                            reason: "no folder is ticked; tick one, or share no folders".into(),
                        });
                    }
                    roots
                }
            };
            Ok(Answer::Roots { choice: *choice, roots })
        }
        (Subject::Form(form), AnswerInput::Form { action, content }) => {
            let content = match action {
                FormAction::Accept => Some(form.accept(content.as_deref().unwrap_or("{}"))?),
                FormAction::Decline | FormAction::Cancel => None,
            };
            Ok(Answer::Form {
                action: *action,
                content,
            })
        }
        (Subject::Link(ask), AnswerInput::Link { action }) => match (&ask.link, action) {
            (Err(problem), FormAction::Accept) => Err(HostError::Invalid {
                reason: problem.clone(),
            }),
            (Ok(_), _) | (Err(_), FormAction::Decline | FormAction::Cancel) => Ok(Answer::Link { action: *action }),
        },
        (Subject::Sample(ask), AnswerInput::Sample { choice, result }) => {
            let result = match choice {
                SampleChoice::Refuse | SampleChoice::Never => None,
                SampleChoice::Session if ask.endpoint.is_none() => {
                    return Err(HostError::Invalid {
                        reason: "no model endpoint is set, so none can answer for this session".into(),
                    });
                }
                SampleChoice::Once | SampleChoice::Session => Some(ask.check(result.as_deref().unwrap_or_default())?),
            };
            Ok(Answer::Sample {
                choice: *choice,
                result,
                asked: ask.clone(),
            })
        }
        (Subject::Sheet(parts), AnswerInput::Sheet { parts: inputs }) if parts.len() == inputs.len() => parts
            .iter()
            .zip(inputs)
            .map(|(part, input)| fit(part, input))
            .collect::<Result<_>>()
            .map(Answer::Sheet),
        (
            Subject::Trust { .. }
            | Subject::Roots { .. }
            | Subject::Form(_)
            | Subject::Link(_)
            | Subject::Sample(_)
            | Subject::Sheet(_),
            _,
        ) => Err(HostError::Invalid {
            reason: "the answer does not fit the question".into(),
        }),
    }
}
