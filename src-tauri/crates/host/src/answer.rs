//! From what a server asks to a question, and from an answer to what leaves: the one way for every channel and both eras.
//! Not the questions' desk and not the wire.

pub mod build;
pub mod roots;

use gatehouse_mcp::client::Declared;
use gatehouse_mcp::model::elicit::{self, Elicit};
use gatehouse_mcp::model::input::InputRequest;
use gatehouse_mcp::params::{Raw, RawMap};

use crate::grant::NewGrant;
use crate::question::Form;
use crate::root::{Probed, RootId};
use crate::view::{DecidedBy, FormAction};

/// What one input request needs of the person.
#[derive(Debug, Clone)]
pub enum Need {
    /// Roots.
    Roots,
    /// A form.
    Form(Form),
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

/// Reads an input request against what was declared.
///
/// # Errors
/// Why it is refused without a question: not offered, not known, or not readable.
pub fn need(request: &InputRequest, declared: Declared) -> Result<Need, String> {
    match request.method.as_str() {
        "roots/list" if declared.roots => Ok(Need::Roots),
        "elicitation/create" if declared.elicitation_form => form(request.params.as_ref()).map(Need::Form),
        method => Err(format!("it asked for {method}, which was not offered to it")),
    }
}

/// Reads the params of `elicitation/create`.
///
/// # Errors
/// Why there is no form to fill, in words.
pub fn form(params: Option<&RawMap>) -> Result<Form, String> {
    let params = params.ok_or("its elicitation/create has no params")?;
    match elicit::parse(params).map_err(|e| format!("its form can't be read: {e}"))? {
        Elicit::Form(form) => Form::of(form).map_err(|e| format!("its form can't be used: {e}")),
        Elicit::Url { .. } => Err("it asked to open a link, which was not offered to it".into()),
    }
}
