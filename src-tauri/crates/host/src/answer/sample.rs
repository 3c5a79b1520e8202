//! Model requests: what the grants say, the model endpoint asked where they or the person allow it, and the verdict of an
//! answer. The endpoint hears only what stands in the record, and nothing here sends anything to a server.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use gatehouse_mcp::model::sampling::{Role, Sampled, text_block};
use gatehouse_mcp::params::Raw;

use super::build::{self, Occasion};
use crate::bounds;
use crate::core::Core;
use crate::endpoint::{Endpoint, Prompt, Reply};
use crate::error::Result;
use crate::grant::{Covers, Effect, NewGrant, SampleDecision, decide_sample};
use crate::harmless;
use crate::ledger::{Channel, Entry};
use crate::question::sample::Draft;
use crate::question::{Answer, Asker, SampleAsk};
use crate::view::{DecidedBy, Lifetime, Outcome, SampleChoice};

/// Where a model request stands.
#[derive(Debug)]
pub(crate) enum Considered {
    /// The endpoint answered, as a grant allows.
    Answered(SampleVerdict),
    /// A grant forbids it.
    Refused(SampleVerdict),
    /// The person must decide.
    Ask(Box<SampleAsk>),
}

/// The decision on a model request.
#[derive(Debug, Clone)]
pub struct SampleVerdict {
    /// The result to be sent; none where nothing is.
    pub result: Option<Raw>,
    /// Who decided.
    pub by: DecidedBy,
    /// What is remembered of it.
    pub grants: Vec<NewGrant>,
    /// What was asked and how the answer came about, in words.
    pub note: Option<String>,
}

/// How often each server's requests went to the endpoint unasked, lately.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<BTreeMap<String, VecDeque<Instant>>>);

impl Pace {
    /// Takes one place; false where there is none.
    fn take(&self, server: &str) -> bool {
        let mut all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let times = all.entry(server.to_owned()).or_default();
        while times
            .front()
            .is_some_and(|time| time.elapsed() > bounds::MODEL_PACE_TIME)
        {
            times.pop_front();
        }
        if times.len() >= bounds::MODEL_PACE {
            return false;
        }
        times.push_back(Instant::now());
        true
    }
}

/// The endpoint that may be asked now; none where none is on, or the one that is set can't be used.
///
/// # Errors
/// The database refused.
pub(crate) fn endpoint(core: &Core) -> Result<Option<Arc<Endpoint>>> {
    let settings = core.store.endpoint()?;
    Ok(settings
        .filter(|settings| settings.on)
        .and_then(|settings| Endpoint::of(settings).ok())
        .map(Arc::new))
}

/// Looks at the grants, and asks the endpoint where they allow it. What it fails at becomes a question with the reason.
///
/// # Errors
/// The database refused, or the grant was taken back meanwhile; then nothing may leave.
pub(crate) async fn consider(core: &Arc<Core>, occasion: &Occasion, mut ask: SampleAsk) -> Result<Considered> {
    let asker = occasion.asker.clone();
    let (endpoint, grants) = core
        .blocking(move |core| Ok((endpoint(core)?, core.store.grants_of(&asker.fingerprint)?)))
        .await?;
    let place = endpoint.as_ref().map(|endpoint| endpoint.place());
    ask.endpoint = endpoint;
    let (by, endpoint) = match (decide_sample(&grants, place.as_deref()), &ask.endpoint) {
        (SampleDecision::Denied { by }, _) => {
            return Ok(Considered::Refused(SampleVerdict {
                result: None,
                by: DecidedBy::Grants { ids: vec![by.0] },
                grants: Vec::new(),
                note: Some(ask.summary()),
            }));
        }
        (SampleDecision::Allowed { by }, Some(endpoint)) => (DecidedBy::Grants { ids: vec![by.0] }, endpoint.clone()),
        (SampleDecision::Allowed { .. } | SampleDecision::Ask, _) => return Ok(Considered::Ask(Box::new(ask))),
    };
    if !core.pace.take(&occasion.asker.server) {
        ask.draft = Draft::Failed(format!(
            "It has asked {} times within {} seconds, which is more than is answered without a question.",
            bounds::MODEL_PACE,
            bounds::MODEL_PACE_TIME.as_secs()
        ));
        return Ok(Considered::Ask(Box::new(ask)));
    }
    let asked = match ask.prompt() {
        Ok(prompt) => ask_endpoint(core, occasion, &endpoint, &prompt, by.clone()).await?,
        Err(error) => Err(error.to_string()),
    };
    match asked {
        Ok(reply) => {
            let host = endpoint.view(&[]).host;
            let how = format!("answered by {} at {host}", harmless::line(&reply.model, 100));
            Ok(Considered::Answered(SampleVerdict {
                result: Some(result_of(reply)),
                by,
                grants: Vec::new(),
                note: Some(format!("{how}; {}", ask.summary())),
            }))
        }
        Err(message) => {
            ask.draft = Draft::Failed(message);
            Ok(Considered::Ask(Box::new(ask)))
        }
    }
}

/// Asks an endpoint, after what it is asked was written down. The inner error is the endpoint's, in words.
///
/// # Errors
/// The database refused, or the grant behind it is gone; then nothing was sent.
pub(crate) async fn ask_endpoint(
    core: &Arc<Core>,
    occasion: &Occasion,
    endpoint: &Arc<Endpoint>,
    prompt: &Prompt,
    by: DecidedBy,
) -> Result<Result<Reply, String>> {
    let host = endpoint.view(&[]).host;
    let body = match endpoint.body(prompt) {
        Ok(body) => body,
        Err(reason) => {
            return Ok(Err(format!(
                "this can't be asked of the model endpoint at {host}: {reason}"
            )));
        }
    };
    let entry = Entry {
        outcome: Outcome::ModelAsked,
        decided_by: by,
        sent: Some(body),
        note: Some(format!(
            "{} at {host}",
            harmless::line(endpoint.model(&prompt.hints), 100)
        )),
        ..build::empty(occasion, Channel::Endpoint)
    };
    let disclosed = core
        .blocking(move |core| core.ledger.commit(&[entry], &[]))
        .await?
        .into_iter()
        .next();
    let Some(body) = disclosed else {
        return Ok(Err("nothing was to be asked".into()));
    };
    Ok(core.way.ask(endpoint, body).await.map_err(|error| error.to_string()))
}

/// What an answer to a model request means. No answer is a refusal by rule.
pub(crate) fn verdict(asker: &Asker, answer: Option<Answer>) -> SampleVerdict {
    let Some(Answer::Sample { choice, result, asked }) = answer else {
        return SampleVerdict {
            result: None,
            by: DecidedBy::Rule,
            grants: Vec::new(),
            note: None,
        };
    };
    let grant = |effect, lifetime, target: Option<PathBuf>| NewGrant {
        fingerprint: asker.fingerprint.clone(),
        server: asker.server.clone(),
        covers: Covers::Sampling,
        target,
        effect,
        lifetime,
    };
    let (remembered, grants) = match choice {
        SampleChoice::Once | SampleChoice::Refuse => (None, Vec::new()),
        SampleChoice::Session => {
            let place = asked.endpoint.as_ref().map(|endpoint| PathBuf::from(endpoint.place()));
            (
                Some(Lifetime::Session),
                vec![grant(Effect::Allow, Lifetime::Session, place)],
            )
        }
        SampleChoice::Never => (
            Some(Lifetime::Always),
            vec![grant(Effect::Deny, Lifetime::Always, None)],
        ),
    };
    let note = match &result {
        Some(result) => format!("{}; {}", asked.story(result), asked.summary()),
        None => asked.summary(),
    };
    SampleVerdict {
        result,
        by: DecidedBy::Person { remembered },
        grants,
        note: Some(note),
    }
}

/// Why a call ended without an answer of a model's.
pub(crate) fn refused_words(by: &DecidedBy) -> &'static str {
    match by {
        DecidedBy::Person { remembered: Some(_) } => {
            "You said never to let a model answer this server. Nothing was sent."
        }
        DecidedBy::Person { remembered: None } => "You gave no answer of a model's. Nothing was sent.",
        DecidedBy::Grants { .. } => {
            "A remembered decision says never to let a model answer this server. Nothing was sent."
        }
        DecidedBy::Rule => "Nobody answered the server's request to a model. Nothing was sent.",
    }
}

fn result_of(reply: Reply) -> Raw {
    Sampled {
        role: Role::Assistant,
        content: vec![text_block(&reply.text)],
        model: reply.model,
        stop_reason: reply.stop_reason,
    }
    .to_raw()
}
