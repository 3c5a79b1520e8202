//! Questions: what must be decided, by whom it is asked, and the desk on which open ones lie until the person answers.
//! Not what follows from an answer: grants, record and wire are elsewhere.

pub mod desk;
pub mod form;
pub mod sample;
pub mod subject;

use std::sync::Arc;

use gatehouse_mcp::params::Raw;

use crate::link::Link;
use crate::root::{Probed, RootId};
use crate::server::{Definition, Fingerprint};
use crate::view::{DefinitionView, FormAction, RootChoice, RootsChoice, SampleChoice, Trust, WhyView};

pub use desk::Desk;
pub use form::Form;
pub use sample::SampleAsk;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    /// The server's name.
    pub server: String,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// What is run.
    pub definition: Definition,
}

/// A question to be put on the desk.
#[derive(Debug, Clone)]
pub struct Question {
    /// Who asks.
    pub asker: Arc<Asker>,
    /// New, unchanged or changed.
    pub trust: Trust,
    /// Why now.
    pub why: WhyView,
    /// When the server stops waiting, in milliseconds since 1970.
    pub expires_at: Option<u64>,
    /// What must be decided.
    pub subject: Subject,
}

/// What must be decided.
#[derive(Debug, Clone)]
pub enum Subject {
    /// May this definition be started?
    Trust {
        /// The one that was allowed before.
        previous: Option<DefinitionView>,
    },
    /// Which roots may be told?
    Roots {
        /// All of them, in order, as they are shown.
        choices: Vec<RootChoice>,
        /// What the disk said of them when the question was made; an answer covers this and nothing else.
        seen: Vec<Probed>,
    },
    /// A form of the server's.
    Form(Form),
    /// A page that the server asks to have opened.
    Link(LinkAsk),
    /// An answer of a model's that the server wants.
    Sample(Box<SampleAsk>),
    /// Several of these in one round: one sheet, one answer. Never a sheet itself.
    Sheet(Vec<Subject>),
}

/// A page that a server asks to have opened. Nothing of it is fetched.
#[derive(Debug, Clone)]
pub struct LinkAsk {
    /// The server's words.
    pub message: String,
    /// The address as the server wrote it.
    pub url: String,
    /// Why it can't be opened, where it can't.
    pub link: Result<Link, String>,
}

/// The decision on a question.
#[derive(Debug, Clone)]
pub enum Answer {
    /// Start it or not.
    Trust {
        /// True to start.
        start: bool,
    },
    /// On roots.
    Roots {
        /// What was chosen.
        choice: RootsChoice,
        /// The ticked roots, in the order of the question; empty for choices that share none.
        roots: Vec<RootId>,
    },
    /// On a form.
    Form {
        /// What was chosen.
        action: FormAction,
        /// The validated content; for `accept` only.
        content: Option<Raw>,
    },
    /// On a page.
    Link {
        /// What was chosen; `accept` where the person opened it and goes on.
        action: FormAction,
    },
    /// On a model request.
    Sample {
        /// What was chosen.
        choice: SampleChoice,
        /// The checked result; for the choices that send it.
        result: Option<Raw>,
        /// The request as it was when this was given, with the endpoint and the model's answer.
        asked: Box<SampleAsk>,
    },
    /// On a sheet, in the order of its parts.
    Sheet(Vec<Answer>),
}

impl Subject {
    /// The parts that are answered apart: those of a sheet, or the one thing it is.
    pub fn parts(&self) -> &[Subject] {
        match self {
            Self::Sheet(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> &mut [Subject] {
        match self {
            Self::Sheet(parts) => parts,
            one => std::slice::from_mut(one),
        }
    }
}
