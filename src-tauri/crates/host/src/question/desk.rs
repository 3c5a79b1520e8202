//! The desk: open questions lie here in order, whoever shows them takes them up and answers by number. Equal roots
//! questions of one server are one question with several occasions. Silence is no answer, and whoever asked must read
//! that as no: a closed desk and a dismissed question give none.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;

use super::sample::Draft;
use super::subject::{body, fit, is_equal};
use super::{Answer, Question, SampleAsk, Subject};
use crate::bounds;
use crate::changes::{Changes, Part};
use crate::clock;
use crate::endpoint::Endpoint;
use crate::error::{HostError, Result};
use crate::root::RootId;
use crate::view::{AnswerInput, QuestionView};

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
        let parts = question.question.subject.parts();
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

    /// The model request that is this part of a question, with the question.
    ///
    /// # Errors
    /// It is no longer open, or that part is no model request.
    pub fn sample(&self, id: u64, part: usize) -> Result<(SampleAsk, Question)> {
        let open = self.open();
        let question = open
            .questions
            .iter()
            .find(|question| question.id == id)
            .ok_or(HostError::Gone)?;
        match question.question.subject.parts().get(part) {
            Some(Subject::Sample(ask)) => Ok((*ask.clone(), question.question.clone())),
            Some(_) | None => Err(HostError::Invalid {
                reason: "that part of the question is no model request".into(),
            }),
        }
    }

    /// Says where the model's answer to a part of a question stands. With `only`, where it still stands at that time of
    /// asking.
    pub fn draft(&self, id: u64, part: usize, only: Option<u64>, draft: Draft) {
        let mut open = self.open();
        let question = open.questions.iter_mut().find(|question| question.id == id);
        let found = question.and_then(|question| question.question.subject.parts_mut().get_mut(part));
        if let Some(Subject::Sample(ask)) = found {
            let stands = matches!(&ask.draft, Draft::Asking { serial, .. } if Some(*serial) == only);
            if only.is_none() || stands {
                ask.draft = draft;
            }
        }
        drop(open);
        self.changes.ring(Part::Questions);
    }

    /// Another endpoint may be asked from now on: open questions name it, so that what is shown is what is asked.
    pub fn endpoint_changed(&self, endpoint: Option<&Arc<Endpoint>>) {
        let mut open = self.open();
        for question in &mut open.questions {
            for part in question.question.subject.parts_mut() {
                if let Subject::Sample(ask) = part {
                    ask.endpoint = endpoint.cloned();
                    ask.draft = Draft::Empty;
                }
            }
        }
        drop(open);
        self.changes.ring(Part::Questions);
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
