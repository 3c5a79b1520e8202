//! Whoever answers questions of this command: the flags first, then the person at the terminal, then nobody. Nobody means
//! no, at once, and standard error says what would have allowed it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use gatehouse_host::changes::Part;
use gatehouse_host::link::Link;
use gatehouse_host::view::{
    AnswerInput, FormAction, Health, QuestionBody, QuestionView, RootChoice, RootsChoice, SampleChoice,
};
use gatehouse_host::{Host, HostError, Result};
use tokio::sync::Notify;

use crate::args::{Answers, Remember};
use crate::filling::{asks_for, content, needs_nothing};
use crate::folders;
use crate::nobody::{Words, needed};
use crate::output::say;
use crate::sampling;
use crate::terminal;

/// What the flags say about folders.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Share {
    /// Nothing; the person is asked.
    Ask,
    /// Every folder that is ready.
    All,
    /// An empty list.
    None,
    /// These.
    These(Vec<u64>),
}

/// The answering side of one command.
#[derive(Debug, Clone)]
pub struct Person {
    share: Share,
    remember: Option<Remember>,
    fields: Vec<(String, String)>,
    /// Origins of pages that get a yes.
    pages: Vec<String>,
    confirms: bool,
    declines: bool,
    /// Set when a question found nobody; the words are for standard error.
    nobody: Arc<Nobody>,
}

#[derive(Debug, Default)]
struct Nobody {
    words: Mutex<Option<Words>>,
    found: Notify,
}

impl Person {
    /// Reads the flags.
    ///
    /// # Errors
    /// A path that is not in the list, or `all` or `none` beside something else.
    pub async fn of(host: &Host, answers: &Answers) -> Result<Self> {
        let share = match answers.share.as_slice() {
            [] => Share::Ask,
            [one] if one == "all" => Share::All,
            [one] if one == "none" => Share::None,
            many if many.iter().any(|one| one == "all" || one == "none") => {
                return Err(HostError::Invalid {
                    reason: "--share all and --share none stand alone".into(),
                });
            }
            many => {
                let mut ids = Vec::new();
                for path in many {
                    let folder = folders::find(host, path.as_ref()).await?;
                    if folder.health != Health::Ready {
                        let (path, health) = (folder.path, folders::health(&folder.health));
                        return Err(HostError::Invalid {
                            reason: format!("--share {path}: the folder can't be shared now, it is {health}"),
                        });
                    }
                    ids.push(folder.id);
                }
                Share::These(ids)
            }
        };
        if share == Share::None && answers.remember.is_some() {
            return Err(HostError::Invalid {
                reason: "--share none can't be remembered; it holds for this call".into(),
            });
        }
        Ok(Self {
            share,
            remember: answers.remember,
            fields: answers.answer.clone(),
            pages: answers
                .page
                .iter()
                .map(|place| Link::parse_origin(place))
                .collect::<Result<_>>()?,
            confirms: answers.confirm,
            declines: answers.decline,
            nobody: Arc::default(),
        })
    }

    /// Answers questions until it is dropped.
    pub async fn attend(&self, host: Host) {
        let mut watcher = host.watch();
        let mut seen = HashSet::new();
        while let Some(parts) = watcher.next().await {
            if !parts.contains(&Part::Questions) {
                continue;
            }
            while let Some(question) = host
                .questions()
                .into_iter()
                .find(|question| !seen.contains(&question.id))
            {
                seen.insert(question.id);
                self.take(&host, question).await;
            }
        }
    }

    /// Waits until a question found nobody, and gives the words for it.
    pub async fn nobody_there(&self) -> Words {
        loop {
            let found = self.nobody.found.notified();
            if let Some(words) = self.nobody_words() {
                return words;
            }
            found.await;
        }
    }

    /// The words for a question that found nobody.
    pub fn nobody_words(&self) -> Option<Words> {
        self.nobody
            .words
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone()
    }

    async fn take(&self, host: &Host, question: QuestionView) {
        let Some(answer) = self.answer(host, &question).await else {
            return self.find_nobody(host, &question);
        };
        match host.answer(question.id, &answer) {
            Ok(()) | Err(HostError::Gone) => {}
            Err(error) => {
                say(&format!(
                    "gatehouse: that answer can't be given: {}",
                    error.view().message
                ));
                self.find_nobody(host, &question);
            }
        }
    }

    /// The answer by flags or at the terminal, part by part; none where any part finds nobody.
    async fn answer(&self, host: &Host, question: &QuestionView) -> Option<AnswerInput> {
        let mut is_introduced = false;
        let QuestionBody::Sheet { parts } = &question.body else {
            return self
                .answer_part(host, question, (0, &question.body), &mut is_introduced)
                .await;
        };
        let mut answers: Vec<AnswerInput> = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            // A refusal of folders or of a model's answer ends the call: nothing more is asked.
            let answer = match answers.iter().any(ends_the_call) {
                true => unasked(part),
                false => self.answer_part(host, question, (at, part), &mut is_introduced).await?,
            };
            answers.push(answer);
        }
        Some(AnswerInput::Sheet { parts: answers })
    }

    async fn answer_part(
        &self,
        host: &Host,
        question: &QuestionView,
        (at, part): (usize, &QuestionBody),
        is_introduced: &mut bool,
    ) -> Option<AnswerInput> {
        if let Some(answer) = self.by_flags(part) {
            tell(question, part, &answer);
            return Some(answer);
        }
        if !terminal::is_there() {
            return None;
        }
        if !std::mem::replace(is_introduced, true) {
            terminal::introduce(question);
        }
        terminal::ask(host, question, at, part).await
    }

    fn find_nobody(&self, host: &Host, question: &QuestionView) {
        let mut words = self
            .nobody
            .words
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        words.get_or_insert_with(|| self.needed(question));
        drop(words);
        // A question that is gone already needs no dismissal.
        let _ = host.dismiss_question(question.id);
        self.nobody.found.notify_waiters();
    }

    fn by_flags(&self, part: &QuestionBody) -> Option<AnswerInput> {
        match part {
            QuestionBody::Trust { .. } | QuestionBody::Sheet { .. } => None,
            QuestionBody::Roots { folders } => self.roots_by_flags(folders),
            QuestionBody::Sample { .. } => sampling::by_flag(&self.fields),
            QuestionBody::Link { link, .. } => {
                let link = link.as_ref().and_then(|link| Link::parse(&link.url).ok());
                let opens = link.is_some_and(|link| self.pages.contains(&link.origin()));
                let action = self.action(opens)?;
                Some(AnswerInput::Link { action })
            }
            // A call may bring several forms, and the flags are for all of them: one that no flag fits is not filled.
            QuestionBody::Form { fields, .. } => {
                let fits = self.fields.iter().any(|(key, _)| asks_for(fields, key));
                let action = self.action(fits || (self.confirms && needs_nothing(fields)))?;
                let filled = (action == FormAction::Accept).then(|| content(&self.fields, fields));
                Some(AnswerInput::Form {
                    action,
                    content: filled,
                })
            }
        }
    }

    /// A yes, else what `--decline` says.
    fn action(&self, accepts: bool) -> Option<FormAction> {
        if accepts {
            return Some(FormAction::Accept);
        }
        self.declines.then_some(FormAction::Decline)
    }

    /// What the first part needed that no flag answers.
    fn needed(&self, question: &QuestionView) -> Words {
        match &question.body {
            QuestionBody::Sheet { parts } => {
                let unanswered = parts.iter().find(|part| self.by_flags(part).is_none());
                needed(question, unanswered.unwrap_or(&question.body))
            }
            body => needed(question, body),
        }
    }

    fn roots_by_flags(&self, folders: &[RootChoice]) -> Option<AnswerInput> {
        let ready = |folder: &&RootChoice| folder.health == Health::Ready;
        let ids: Vec<u64> = match &self.share {
            Share::Ask => return None,
            Share::None => {
                return Some(AnswerInput::Roots {
                    choice: RootsChoice::ShareNone,
                    folders: Vec::new(),
                });
            }
            Share::All => folders.iter().filter(ready).map(|folder| folder.id).collect(),
            Share::These(ids) => ids.clone(),
        };
        if ids.is_empty() {
            // All of no folders is an empty list, which is what would leave.
            return Some(AnswerInput::Roots {
                choice: RootsChoice::ShareNone,
                folders: Vec::new(),
            });
        }
        let choice = match self.remember {
            None => RootsChoice::ShareOnce,
            Some(Remember::Session) => RootsChoice::ShareSession,
            Some(Remember::Always) => RootsChoice::ShareAlways,
        };
        Some(AnswerInput::Roots { choice, folders: ids })
    }
}

/// Says on standard error what a flag did that a person would want to know of: which page is theirs to open now.
fn tell(question: &QuestionView, part: &QuestionBody, answer: &AnswerInput) {
    if let (
        QuestionBody::Link { link: Some(link), .. },
        AnswerInput::Link {
            action: FormAction::Accept,
        },
    ) = (part, answer)
    {
        let server = gatehouse_host::harmless::line(&question.server, 100);
        say(&format!(
            "gatehouse: server {server} asks you to open this page, and is told that you do: {}",
            link.url
        ));
    }
}

fn ends_the_call(answer: &AnswerInput) -> bool {
    matches!(
        answer,
        AnswerInput::Roots {
            choice: RootsChoice::Refuse | RootsChoice::Never,
            ..
        } | AnswerInput::Sample {
            choice: SampleChoice::Refuse | SampleChoice::Never,
            ..
        }
    )
}

/// The answer of a part that is not asked any more.
fn unasked(part: &QuestionBody) -> AnswerInput {
    let (action, folders) = (FormAction::Cancel, Vec::new());
    match part {
        QuestionBody::Trust { .. } => AnswerInput::Trust { start: false },
        QuestionBody::Roots { .. } => AnswerInput::Roots {
            choice: RootsChoice::Refuse,
            folders,
        },
        QuestionBody::Form { .. } => AnswerInput::Form { action, content: None },
        QuestionBody::Link { .. } => AnswerInput::Link { action },
        QuestionBody::Sample { .. } => sampling::unasked(),
        QuestionBody::Sheet { parts } => AnswerInput::Sheet {
            parts: parts.iter().map(unasked).collect(),
        },
    }
}
