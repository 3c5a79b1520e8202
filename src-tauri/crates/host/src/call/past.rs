//! What is gathered of a call while it runs: for the history, and to start it again where its server forgot it. Sends
//! nothing and decides nothing.

use std::sync::{Mutex, MutexGuard};

use gatehouse_mcp::model::input::InputRequest;
use gatehouse_mcp::params::{Raw, RawMap};

use super::Call;
use crate::answer::{Answered, Need};
use crate::bounds;
use crate::harmless;
use crate::history::{AskedRequest, AskedRound};
use crate::ledger::Channel;
use crate::view::CheckView;

/// What is gathered of one call.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// The arguments as they leave.
    pub args: Option<String>,
    /// What was entered into the forms of the call that this one starts again.
    drafts: Vec<Given>,
    pages: Mutex<Pages>,
}

#[derive(Debug, Default)]
struct Pages {
    asked: Vec<AskedRound>,
    bytes: usize,
    given: Vec<Given>,
}

/// The content of a form that the person sent, by the key it was asked with.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    key: String,
    content: Raw,
}

/// What starts a call again whose server forgot it.
#[derive(Debug, Clone)]
pub(crate) struct Again {
    /// The call.
    pub call: Call,
    /// What was entered; it is shown again, never sent without a look.
    pub given: Vec<Given>,
}

/// What a call came to, beyond its state.
#[derive(Debug, Default)]
pub(crate) struct Came {
    /// The result as it came, and how it missed its schema.
    pub result: Option<(RawMap, Option<CheckView>)>,
    /// How it can be started again, where its server forgot it.
    pub forgotten: Option<Call>,
}

impl Gathered {
    /// Nothing yet.
    pub fn new(args: Option<String>, drafts: Vec<Given>) -> Self {
        Self {
            args,
            drafts,
            pages: Mutex::default(),
        }
    }

    /// A round asked for input. Beyond a bound, params stay out.
    pub fn asked(&self, round: u64, requests: &[(String, InputRequest)]) {
        let mut pages = self.pages();
        let mut kept = Vec::new();
        for (key, request) in requests {
            let params = request.params.as_ref().filter(|_| pages.bytes < bounds::HISTORY_ASKED);
            let request = AskedRequest {
                key: harmless::line(key, bounds::LINE),
                method: harmless::line(&request.method, bounds::LINE),
                params: params.map(|params| harmless::paragraph(params.to_raw().get(), bounds::PARAGRAPH)),
            };
            pages.bytes += request.key.len() + request.method.len() + request.params.as_ref().map_or(0, String::len);
            if pages.bytes > 2 * bounds::HISTORY_ASKED {
                break;
            }
            kept.push(request);
        }
        pages.asked.push(AskedRound { round, requests: kept });
    }

    /// A round was answered.
    pub fn answered(&self, needs: &[(String, Need)], answers: &[(Channel, Answered)]) {
        let content = |answered: &Answered| match answered {
            Answered::Form { content, .. } => content.clone(),
            Answered::Roots(_) | Answered::Link { .. } | Answered::Sample(_) => None,
        };
        let given = needs
            .iter()
            .zip(answers)
            .filter_map(|((key, _), (_, answered))| Some((key, content(answered)?)));
        self.pages().given.extend(given.map(|(key, content)| Given {
            key: key.clone(),
            content,
        }));
    }

    /// What was entered into a form of the same key before.
    pub fn draft(&self, key: &str) -> Option<Raw> {
        let draft = self.drafts.iter().find(|draft| draft.key == key);
        draft.map(|draft| draft.content.clone())
    }

    /// Hands over what was asked.
    pub fn take_asked(&self) -> Vec<AskedRound> {
        std::mem::take(&mut self.pages().asked)
    }

    /// How the call can be started again.
    pub fn again(&self, call: Call) -> Again {
        let mut given = std::mem::take(&mut self.pages().given);
        // What was entered for the call before, and not asked for this time, is not lost.
        let older = self
            .drafts
            .iter()
            .filter(|draft| given.iter().all(|new| new.key != draft.key));
        let older: Vec<Given> = older.cloned().collect();
        given.extend(older);
        Again { call, given }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
