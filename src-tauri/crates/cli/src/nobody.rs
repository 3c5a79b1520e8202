//! The words for a question that found nobody: who asked for what, and what would allow it. Not how it is answered.

use gatehouse_host::harmless;
use gatehouse_host::link::Link;
use gatehouse_host::view::{QuestionBody, QuestionView};

use crate::terminal;

/// What is said where nobody was there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// Which server asked for what.
    pub asked: String,
    /// What would allow it.
    pub allows: String,
}

impl std::fmt::Display for Words {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.asked, self.allows)
    }
}

/// What a part of a question needed that nobody was there to give.
pub fn needed(question: &QuestionView, part: &QuestionBody) -> Words {
    let server = harmless::line(&question.server, 100);
    match part {
        QuestionBody::Link { url, link, .. } => {
            let place = link.as_ref().and_then(|link| Link::parse(&link.url).ok()).map(|link| link.place());
            Words {
                asked: format!(
                    "server {server} asked to have a page opened (elicitation/create) and nobody is here to answer. Nothing was sent. The page: {url}"
                ),
                allows: place.map_or_else(
                    || "It can't be opened; --decline says no and goes on.".into(),
                    |place| format!("Run it at a terminal, add --page {place}, or --decline to say no and go on."),
                ),
            }
        }
        QuestionBody::Sample { .. } => Words {
            asked: format!("server {server} asked for an answer of a model's (sampling/createMessage) and nobody is here to give one. Nothing was sent."),
            allows: format!("Run it at a terminal, or add --answer {}=JSON with a text or a whole result.", crate::sampling::KEY),
        },
        QuestionBody::Sheet { parts } => parts.first().map_or_else(Words::default, |part| needed(question, part)),
        QuestionBody::Trust { .. } => Words {
            asked: format!(
                "server {server} was not started: you have not allowed what it runs, which is {}.",
                terminal::command_line(&question.definition)
            ),
            allows: format!("`gatehouse servers trust {server}` allows it."),
        },
        QuestionBody::Roots { .. } => Words {
            asked: format!("server {server} asked for your folders (roots/list) and nobody is here to answer. Nothing was shared."),
            allows: "Run it at a terminal, or add --share all, --share none or --share PATH; with --remember always the answer is kept.".into(),
        },
        QuestionBody::Form { fields, .. } => {
            let keys: Vec<String> =
                fields.iter().map(|field| format!("--answer {}=JSON", harmless::line(&field.key, 100))).collect();
            Words {
                asked: format!("server {server} asked for a form (elicitation/create) and nobody is here to fill it. Nothing was sent."),
                allows: if keys.is_empty() {
                    "Run it at a terminal, or add --confirm or --decline.".into()
                } else {
                    format!("Run it at a terminal, or add {}, or --decline.", keys.join(" "))
                },
            }
        }
    }
}
