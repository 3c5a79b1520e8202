//! From what a server asks to a question, and from an answer to what leaves: the one way for every channel and both eras.
//! Not the questions' desk and not the wire.

pub mod build;
pub mod roots;
pub mod sample;

use std::sync::Arc;

use gatehouse_mcp::client::Declared;
use gatehouse_mcp::model::elicit::{self, Elicit};
use gatehouse_mcp::model::input::InputRequest;
use gatehouse_mcp::model::sampling::CreateMessage;
use gatehouse_mcp::params::{Raw, RawMap};

use crate::grant::NewGrant;
use crate::link::Link;
use crate::question::sample::Draft;
use crate::question::{Form, LinkAsk, SampleAsk};
use crate::root::{Probed, RootId};
use crate::view::{DecidedBy, FormAction};

pub use sample::SampleVerdict;

/// What one input request needs of the person.
#[derive(Debug, Clone)]
pub enum Need {
    /// Roots.
    Roots,
    /// A form.
    Form(Form),
    /// A page.
    Link(LinkAsk),
    /// An answer of a model's.
    Sample(Box<SampleAsk>),
}

/// The decision on a request for roots.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Tell these, as they were seen.
    Share {
        /// In order.
        roots: Vec<RootId>,
        /// What was seen when it was decided.
        seen: Vec<Probed>,
        /// Who decided.
        by: DecidedBy,
        /// What is remembered of it.
        grants: Vec<NewGrant>,
    },
    /// Tell an empty list.
    ShareNone,
    /// Tell nothing.
    Refuse {
        /// Who decided.
        by: DecidedBy,
        /// What is remembered of it.
        grants: Vec<NewGrant>,
    },
}

/// The answer to one need.
#[derive(Debug, Clone)]
pub enum Answered {
    /// Roots to be told, or none.
    Roots(Verdict),
    /// A form's end.
    Form {
        /// Which.
        action: FormAction,
        /// The content of an `accept`.
        content: Option<Raw>,
    },
    /// A page's end.
    Link {
        /// Which.
        action: FormAction,
    },
    /// An answer of a model's, or one by hand.
    Sample(SampleVerdict),
}

impl Verdict {
    /// True when a grant stands behind it, given before or with it.
    pub fn is_remembered(&self) -> bool {
        match self {
            Self::Share { by, grants, .. } | Self::Refuse { by, grants } => {
                matches!(by, DecidedBy::Grants { .. }) || !grants.is_empty()
            }
            Self::ShareNone => false,
        }
    }
}

impl Need {
    /// True while it is offered.
    pub fn is_offered(&self, declared: Declared) -> bool {
        match self {
            Self::Roots => declared.roots,
            Self::Form(_) => declared.elicitation_form,
            Self::Link(_) => declared.elicitation_url,
            Self::Sample(_) => declared.sampling,
        }
    }

    /// The word for it at the start of a sentence.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Roots => "Folders",
            Self::Form(_) => "Forms",
            Self::Link(_) => "Links",
            Self::Sample(_) => "Answers of models",
        }
    }
}

/// Reads an input request against what was declared.
///
/// # Errors
/// Why it is refused without a question: not offered, not known, or not readable.
pub fn need(request: &InputRequest, declared: Declared) -> Result<Need, String> {
    match request.method.as_str() {
        "roots/list" if declared.roots => Ok(Need::Roots),
        "elicitation/create" => elicited(request.params.as_ref(), declared),
        "sampling/createMessage" => sample(request.params.as_ref(), declared, false),
        method => Err(format!("it asked for {method}, which was not offered to it")),
    }
}

/// Reads the params of `elicitation/create` against what was declared.
///
/// # Errors
/// Why there is nothing to ask, in words.
pub fn elicited(params: Option<&RawMap>, declared: Declared) -> Result<Need, String> {
    let params = params.ok_or("its elicitation/create has no params")?;
    match elicit::parse(params).map_err(|e| format!("its form can't be read: {e}"))? {
        Elicit::Form(form) if declared.elicitation_form => Form::of(form)
            .map(Need::Form)
            .map_err(|e| format!("its form can't be used: {e}")),
        Elicit::Url { url, message, .. } if declared.elicitation_url => {
            let link = Link::parse(&url).map_err(|e| e.to_string());
            Ok(Need::Link(LinkAsk { message, url, link }))
        }
        Elicit::Form(_) => Err("it asked for a form, which was not offered to it".into()),
        Elicit::Url { .. } => Err("it asked to open a link, which was not offered to it".into()),
    }
}

/// Reads the params of `sampling/createMessage` against what was declared. `single` where the server's revision knows an
/// answer of one block only.
///
/// # Errors
/// Why there is nothing to ask, in words.
pub fn sample(params: Option<&RawMap>, declared: Declared, single: bool) -> Result<Need, String> {
    if !declared.sampling {
        return Err("it asked for sampling/createMessage, which was not offered to it".into());
    }
    let params = params.ok_or("its sampling/createMessage has no params")?;
    let request = CreateMessage::read(params).map_err(|e| format!("its request to a model can't be read: {e}"))?;
    if request.needs_tools() && !declared.sampling_tools {
        return Err("it asked for tools to be given to a model, which was not offered to it".into());
    }
    if request.messages.is_empty() {
        return Err("its request to a model holds no message".into());
    }
    Ok(Need::Sample(Box::new(SampleAsk {
        request: Arc::new(request),
        exact: params.to_raw(),
        single,
        endpoint: None,
        draft: Draft::Empty,
    })))
}
