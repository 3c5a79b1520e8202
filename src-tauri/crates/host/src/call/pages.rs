//! Pages that a legacy server wants visited before it does a call (error -32042 of 2025-11-25). They are asked about like
//! any page; where the person opened them all, the call is sent once more as it was, and nothing else is said about it.

use std::sync::Arc;

use gatehouse_mcp::client::{Client, EraKind};
use gatehouse_mcp::error::ExchangeError;
use gatehouse_mcp::error::known::Known;
use gatehouse_mcp::model::elicit::Elicit;

use super::running::Running;
use crate::answer::build::{self, Occasion};
use crate::connection::Live;
use crate::core::Core;
use crate::error::{HostError, Result};
use crate::link::Link;
use crate::question::{Answer, LinkAsk, Question, Subject};
use crate::view::{DecidedBy, FormAction, Trust};

/// What came of asking.
pub(super) enum Visited {
    /// The person opened every page: the call may go again.
    All,
    /// Not all were opened. The call ends with these words.
    Refused(String),
}

/// The pages that an error names. None where it is another error, where pages are not offered to the server, or where one
/// of them can't be shown: then the error stands as it is.
pub(super) fn named(client: &Client, method: &str, error: &HostError) -> Option<Vec<LinkAsk>> {
    let HostError::Exchange {
        source: ExchangeError::Server(error),
        ..
    } = error
    else {
        return None;
    };
    if client.era().kind != EraKind::Legacy || !client.declared().elicitation_url {
        return None;
    }
    let Known::UrlElicitationRequired { elicitations } = error.known(method) else {
        return None;
    };
    let page = |named: std::result::Result<Elicit, String>| match named {
        Ok(Elicit::Url { url, message, .. }) => {
            let link = Link::parse(&url).map_err(|error| error.to_string());
            Some(LinkAsk { message, url, link })
        }
        Ok(Elicit::Form(_)) | Err(_) => None,
    };
    let pages: Vec<LinkAsk> = elicitations.into_iter().map(page).collect::<Option<_>>()?;
    (!pages.is_empty()).then_some(pages)
}

/// Asks the person to open them.
///
/// # Errors
/// The database refused.
pub(super) async fn visit(
    core: &Arc<Core>,
    live: &Live,
    running: &Running,
    round: u64,
    pages: Vec<LinkAsk>,
) -> Result<Visited> {
    let mut subjects: Vec<Subject> = pages.into_iter().map(Subject::Link).collect();
    let count = subjects.len();
    let subject = match subjects.pop() {
        Some(only) if subjects.is_empty() => only,
        last => {
            subjects.extend(last);
            Subject::Sheet(subjects)
        }
    };
    running.wait();
    let question = Question {
        asker: live.asker.clone(),
        trust: Trust::Trusted,
        why: running.why(round),
        expires_at: None,
        subject,
    };
    let mut asking = core.desk.ask(question);
    let answer = tokio::select! {
        answer = asking.answer() => answer,
        () = live.client.ended() => None,
    };
    drop(asking);
    running.resume();
    let by = match &answer {
        Some(_) => DecidedBy::Person { remembered: None },
        None => DecidedBy::Rule,
    };
    let answers = match answer {
        Some(Answer::Sheet(answers)) => answers,
        Some(answer) => vec![answer],
        None => Vec::new(),
    };
    let mut actions: Vec<FormAction> = answers
        .into_iter()
        .map(|answer| match answer {
            Answer::Link { action } => action,
            _ => FormAction::Cancel,
        })
        .collect();
    actions.resize(count, FormAction::Cancel);
    let occasion = Occasion {
        asker: live.asker.clone(),
        words: Some(running.words()),
        call: Some(running.number()),
        round,
    };
    // The offer may have been taken back while the question was open.
    let all = live.client.declared().elicitation_url && actions.iter().all(|action| *action == FormAction::Accept);
    build::note_pages(core, occasion, actions, by).await?;
    Ok(if all {
        Visited::All
    } else {
        Visited::Refused(
            "The page that the server wants to be visited first was not opened. Nothing more was sent.".into(),
        )
    })
}
