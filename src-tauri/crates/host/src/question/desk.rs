//! The desk: open questions lie here in order, whoever shows them takes them up and answers by number. Equal roots
//! questions of one server are one question with several occasions. Silence is no answer, and whoever asked must read
//! that as no: a closed desk and a dismissed question give none.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;

use super::{Answer, Question, Subject};
use crate::bounds;
use crate::changes::{Changes, Part};
use crate::clock;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::link::Link;
use crate::root::RootId;
use crate::view::{AnswerInput, FormAction, Health, QuestionBody, QuestionView, RootsChoice};

/// The desk.
#[derive(Debug)]
pub struct Desk {
    open: Mutex<Open>,
    changes: Arc<Changes>,
}

/// A question that lies on the desk. Dropping it withdraws it.
#[derive(Debug)]
pub struct Asking {
    desk: Arc<Desk>,
    question: u64,
    occasion: u64,
    answer: oneshot::Receiver<Answer>,
}

#[derive(Debug, Default)]
struct Open {
    closed: bool,
    last: u64,
    questions: Vec<OpenQuestion>,
}

#[derive(Debug)]
struct OpenQuestion {
    id: u64,
    asked_at: u64,
    question: Question,
    occasions: Vec<Occasion>,
}

#[derive(Debug)]
struct Occasion {
    id: u64,
    /// Its server no longer waits.
    expired: bool,
    why: crate::view::WhyView,
    answer: oneshot::Sender<Answer>,
}

impl Desk {
    /// An empty desk.
    pub fn new(changes: Arc<Changes>) -> Self {
        Self {
            open: Mutex::default(),
            changes,
        }
    }

    /// Lays a question on the desk. On a closed or overfull desk there is no answer, at once.
    pub fn ask(self: &Arc<Self>, question: Question) -> Asking {
        let (sender, answer) = oneshot::channel();
        let mut open = self.open();
        open.last += 1;
        let occasion = open.last;
        let asking = |question| Asking {
            desk: self.clone(),
            question,
            occasion,
            answer,
        };
        let of_server = open
            .questions
            .iter()
            .filter(|other| other.question.asker.server == question.asker.server);
        if open.closed || open.questions.len() >= bounds::QUESTIONS || of_server.count() >= bounds::QUESTIONS_PER_SERVER
        {
            return asking(occasion);
        }
        let entry = Occasion {
            id: occasion,
            expired: false,
            why: question.why.clone(),
            answer: sender,
        };
        let id = match open
            .questions
            .iter_mut()
            .find(|other| is_equal(&other.question, &question))
        {
            Some(equal) => {
                // Who asks again takes the place of the ask that ran out, so that one answer is not given twice.
                equal.occasions.retain(|other| !other.expired);
                if equal.occasions.is_empty() {
                    equal.question.expires_at = question.expires_at;
                }
                equal.occasions.push(entry);
                equal.id
            }
            None => {
                open.questions.push(OpenQuestion {
                    id: occasion,
                    asked_at: clock::now(),
                    question,
                    occasions: vec![entry],
                });
                occasion
            }
        };
        drop(open);
        self.changes.ring(Part::Questions);
        asking(id)
    }

    /// Answers a question. Everyone who waits for it gets the answer.
    ///
    /// # Errors
    /// It is no longer open, or the answer does not fit it; then it stays open.
    pub fn answer(&self, id: u64, input: &AnswerInput) -> Result<()> {
        let mut open = self.open();
        let at = open
            .questions
            .iter()
            .position(|question| question.id == id)
            .ok_or(HostError::Gone)?;
        let answer = fit(&open.questions[at].question.subject, input)?;
        let question = open.questions.remove(at);
        drop(open);
        for occasion in question.occasions {
            // An asker that went away needs no answer.
            let _ = occasion.answer.send(answer.clone());
        }
        self.changes.ring(Part::Questions);
        Ok(())
    }

    /// Takes a question off the desk without an answer: nobody is there who could give one.
    ///
    /// # Errors
    /// It is no longer open.
    pub fn dismiss(&self, id: u64) -> Result<()> {
        let mut open = self.open();
        let at = open
            .questions
            .iter()
            .position(|question| question.id == id)
            .ok_or(HostError::Gone)?;
        let dismissed = open.questions.remove(at);
        drop(open);
        // The senders go with it, and whoever asked learns that there is no answer.
        drop(dismissed);
        self.changes.ring(Part::Questions);
        Ok(())
    }

    /// Takes every question of one server off the desk without an answer.
    pub fn dismiss_of(&self, server: &str) {
        let mut open = self.open();
        let dismissed: Vec<OpenQuestion> = open
            .questions
            .extract_if(.., |open| open.question.asker.server == server)
            .collect();
        drop(open);
        drop(dismissed);
        self.changes.ring(Part::Questions);
    }

    /// Takes every question off the desk without an answer; with `for_good`, later ones too, since nobody is left to ask.
    pub fn dismiss_all(&self, for_good: bool) {
        let mut open = self.open();
        open.closed |= for_good;
        let dismissed = std::mem::take(&mut open.questions);
        drop(open);
        drop(dismissed);
        self.changes.ring(Part::Questions);
    }

    /// The roots question with this number: its choices, in order.
    ///
    /// # Errors
    /// It is no longer open, or is not about roots.
    pub fn root_choices(&self, id: u64) -> Result<Vec<RootId>> {
        let open = self.open();
        let question = open
            .questions
            .iter()
            .find(|question| question.id == id)
            .ok_or(HostError::Gone)?;
        let subject = &question.question.subject;
        let parts = if let Subject::Sheet(parts) = subject {
            parts.as_slice()
        } else {
            std::slice::from_ref(subject)
        };
        let choices = parts.iter().find_map(|part| {
            if let Subject::Roots { choices, .. } = part {
                Some(choices)
            } else {
                None
            }
        });
        let choices = choices.ok_or_else(|| HostError::Invalid {
            reason: "the question is not about folders".into(),
        })?;
        Ok(choices.iter().map(|choice| RootId(choice.id)).collect())
    }

    /// The open questions for a screen, oldest first.
    pub fn view(&self) -> Vec<QuestionView> {
        self.open().questions.iter().map(OpenQuestion::view).collect()
    }

    fn withdraw(&self, question: u64, occasion: u64) {
        let mut open = self.open();
        let Some(at) = open.questions.iter().position(|open| open.id == question) else {
            return;
        };
        open.questions[at].occasions.retain(|other| other.id != occasion);
        if open.questions[at].occasions.is_empty() {
            open.questions.remove(at);
        }
        drop(open);
        self.changes.ring(Part::Questions);
    }

    fn expire(&self, question: u64, occasion: u64) {
        let mut open = self.open();
        if let Some(open) = open.questions.iter_mut().find(|open| open.id == question) {
            open.occasions
                .iter_mut()
                .filter(|other| other.id == occasion)
                .for_each(|other| other.expired = true);
            if open.occasions.iter().all(|other| other.expired) {
                open.question.expires_at = None;
            }
        }
        drop(open);
        self.changes.ring(Part::Questions);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Asking {
    /// Waits for the answer; none where there is nobody to give one, which means no.
    pub async fn answer(&mut self) -> Option<Answer> {
        (&mut self.answer).await.ok()
    }

    /// Says that the server no longer waits; the question stays, and its answer counts for the next time it asks. Where it
    /// asks again before that, the new ask gets the answer and this one none.
    pub fn expired(&self) {
        self.desk.expire(self.question, self.occasion);
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.desk.withdraw(self.question, self.occasion);
    }
}

impl OpenQuestion {
    fn view(&self) -> QuestionView {
        let question = &self.question;
        QuestionView {
            id: self.id,
            server: question.asker.server.clone(),
            definition: question.asker.definition.view(),
            trust: question.trust,
            why: self.occasions.iter().map(|occasion| occasion.why.clone()).collect(),
            asked_at: self.asked_at,
            expires_at: question.expires_at,
            body: body(&question.subject),
        }
    }
}

fn body(subject: &Subject) -> QuestionBody {
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
        Subject::Sheet(parts) => QuestionBody::Sheet {
            parts: parts.iter().map(body).collect(),
        },
    }
}

/// Two roots questions of one definition about the same roots are one, and so are two trust questions.
fn is_equal(open: &Question, new: &Question) -> bool {
    let same_asker = open.asker.fingerprint == new.asker.fingerprint;
    match (&open.subject, &new.subject) {
        (Subject::Roots { choices: a, .. }, Subject::Roots { choices: b, .. }) => same_asker && a == b,
        (Subject::Trust { .. }, Subject::Trust { .. }) => same_asker,
        (
            Subject::Roots { .. } | Subject::Trust { .. } | Subject::Form(_) | Subject::Link(_) | Subject::Sheet(_),
            _,
        ) => false,
    }
}

fn fit(subject: &Subject, input: &AnswerInput) -> Result<Answer> {
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
        (Subject::Sheet(parts), AnswerInput::Sheet { parts: inputs }) if parts.len() == inputs.len() => parts
            .iter()
            .zip(inputs)
            .map(|(part, input)| fit(part, input))
            .collect::<Result<_>>()
            .map(Answer::Sheet),
        (
            Subject::Trust { .. } | Subject::Roots { .. } | Subject::Form(_) | Subject::Link(_) | Subject::Sheet(_),
            _,
        ) => Err(HostError::Invalid {
            reason: "the answer does not fit the question".into(),
        }),
    }
}
