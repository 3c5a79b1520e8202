//! The rounds of one call: a request, an answer, and where the answer asks for input, the next request with it.
//!
//! Specification: basic/patterns/mrtr. A retry is a new request with the same method and params, the responses at this
//! round's keys, and the last state exactly as it came, or none.

use std::sync::Arc;

use gatehouse_mcp::client::{Client, EraKind, Limit, Outcome};
use gatehouse_mcp::error::ExchangeError;
use gatehouse_mcp::model::input::InputRequest;
use gatehouse_mcp::params::{Params, Raw, RawMap};

use super::calls::Running;
use crate::answer::build::{self, Looked, Occasion, Refused};
use crate::answer::roots::{Considered, consider, verdict};
use crate::answer::{self, Answered, Need, Verdict};
use crate::bounds;
use crate::connection::Live;
use crate::core::Core;
use crate::error::{HostError, Result};
use crate::ledger::{Channel, Disclosed};
use crate::question::{Answer, Form, Question, Subject};
use crate::view::{DecidedBy, Trust};

/// How the rounds ended.
pub(super) enum Ended {
    /// With a result.
    Complete(RawMap),
    /// With a refusal, in words. Nothing was sent.
    Declined(String),
}

/// Drives a call's rounds to their end.
pub(super) async fn drive(core: &Arc<Core>, live: &Live, running: &Running, method: &str, params: Params, limit: Limit) -> Result<Ended> {
    live.settle.settled().await;
    let client = &live.client;
    let (mut responses, mut state): (Option<Raw>, Option<Raw>) = (None, None);
    let mut pause = bounds::PAUSE_FIRST;
    for round in 1..=bounds::ROUNDS {
        running.enter(round);
        let request = with_answers(&params, responses.take(), state.take());
        let (requests, next) = match exchange(running, client, method, request, limit).await? {
            Outcome::Complete(result) => return Ok(Ended::Complete(result)),
            // No request can follow the last round, so nobody is asked for an answer that would not leave.
            Outcome::InputRequired { .. } if round == bounds::ROUNDS => break,
            Outcome::InputRequired { requests, state } => (requests, state),
        };
        state = next;
        if requests.is_empty() {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(bounds::PAUSE_MAX);
            continue;
        }
        match answers(core, live, running, round, requests).await? {
            Round::Answered(built) => responses = Some(built),
            Round::Declined(message) => return Ok(Ended::Declined(message)),
        }
    }
    let reason = format!("it asked for input {} times in one call; the call was ended", bounds::ROUNDS);
    Err(HostError::Protocol { server: running.server().to_owned(), reason })
}

enum Round {
    Answered(Raw),
    Declined(String),
}

async fn exchange(running: &Running, client: &Client, method: &str, params: Params, limit: Limit) -> Result<Outcome> {
    let failed = |source: ExchangeError| HostError::Exchange { server: running.server().to_owned(), source };
    let reply = client.request(method, params, limit).await.map_err(failed)?;
    reply.outcome(client.era().kind).map_err(failed)
}

/// Every input request of a round is answered before any answer leaves; one refusal of roots ends the call with nothing sent.
async fn answers(core: &Arc<Core>, live: &Live, running: &Running, round: u64, requests: Vec<(String, InputRequest)>) -> Result<Round> {
    debug_assert_eq!(live.client.era().kind, EraKind::Modern, "legacy results hold no input requests");
    let occasion = Occasion { asker: live.asker.clone(), words: Some(running.words()), round };
    let declared = live.client.declared();
    let mut needs = Vec::with_capacity(requests.len());
    for (key, request) in &requests {
        match answer::need(request, declared) {
            Ok(need) => needs.push((key.clone(), need)),
            Err(reason) => {
                let reason = crate::harmless::line(&reason, bounds::LINE);
                let channel = if request.method == "roots/list" { Channel::RootsInput } else { Channel::OtherInput };
                build::note(core, occasion, channel, Refused::NotOffered { note: reason.clone() }).await?;
                return Err(HostError::Protocol { server: running.server().to_owned(), reason });
            }
        }
    }
    // Several requests for roots in one round are one decision.
    let mut roots: Option<Verdict> = None;
    let mut answered = Vec::with_capacity(needs.len());
    let asks_roots = needs.iter().any(|(_, need)| matches!(need, Need::Roots));
    let forms = needs.iter().filter(|(_, need)| matches!(need, Need::Form(_))).count() as u64;
    let parts = forms + u64::from(asks_roots);
    let mut part = 0;
    // Roots first: where they are refused, no form is filled in vain.
    if asks_roots {
        part += 1;
        let considered = if forms > 0 {
            consider(core, &live.asker, running.why(round), (part, parts)).await?
        } else {
            // Nothing else is asked: where the grants allow it, no person and no second look stands between.
            match build::look(core, occasion.clone(), running.why(round), needs.len()).await? {
                Looked::WrittenDown(disclosed, shared) => {
                    live.told.told(shared, false);
                    let keys = needs.into_iter().map(|(key, _)| key).collect();
                    return Ok(Round::Answered(input_responses(keys, disclosed)));
                }
                Looked::Considered(considered) => considered,
            }
        };
        let decided = decide_roots(core, running, considered).await;
        if let Verdict::Refuse { by, grants } = decided {
            let message = refused_words(&by);
            build::note(core, occasion, Channel::RootsInput, Refused::Decided { by, grants }).await?;
            return Ok(Round::Declined(message));
        }
        roots = Some(decided);
    }
    for (key, need) in needs {
        let answer = match need {
            Need::Roots => (Channel::RootsInput, Answered::Roots(roots.clone().unwrap_or(Verdict::ShareNone))),
            Need::Form(form) => {
                part += 1;
                match ask_form(core, live, running, round, (part, parts), form).await {
                    Some(answered) => (Channel::FormInput, answered),
                    None => {
                        let by = DecidedBy::Rule;
                        build::note(core, occasion, Channel::FormInput, Refused::Decided { by, grants: Vec::new() }).await?;
                        return Ok(Round::Declined("Nobody answered the server's form. Nothing was sent.".into()));
                    }
                }
            }
        };
        answered.push((key, answer));
    }
    running.resume();
    // Nothing can leave for a process that ended meanwhile, so the record must not say that it did.
    if live.client.is_closed() {
        let source = ExchangeError::Closed { reason: "it ended while it was asked about".into() };
        return Err(HostError::Exchange { server: running.server().to_owned(), source });
    }
    let (keys, answers): (Vec<String>, Vec<_>) = answered.into_iter().unzip();
    let (disclosed, shared) = build::commit(core, occasion, answers).await?;
    live.told.told(shared, false);
    Ok(Round::Answered(input_responses(keys, disclosed)))
}

async fn decide_roots(core: &Arc<Core>, running: &Running, considered: Considered) -> Verdict {
    match considered {
        Considered::Decided(verdict) => verdict,
        Considered::Ask(question) => {
            running.wait();
            let answer = core.desk.ask((*question).clone()).answer().await;
            verdict(&question, answer)
        }
    }
}

async fn ask_form(core: &Arc<Core>, live: &Live, running: &Running, round: u64, part: (u64, u64), form: Form) -> Option<Answered> {
    running.wait();
    let question = Question {
        asker: live.asker.clone(),
        trust: Trust::Trusted,
        why: running.why(round),
        part,
        expires_at: None,
        subject: Subject::Form(form),
    };
    match core.desk.ask(question).answer().await {
        Some(Answer::Form { action, content }) => Some(Answered::Form { action, content }),
        Some(_) | None => None,
    }
}

fn with_answers(params: &Params, responses: Option<Raw>, state: Option<Raw>) -> Params {
    let mut params = params.clone();
    if let Some(responses) = responses {
        params = params.with_raw("inputResponses", responses);
    }
    if let Some(state) = state {
        params = params.with_raw("requestState", state);
    }
    params
}

/// The responses at this round's keys. Only what stands in the record can be put in.
fn input_responses(keys: Vec<String>, disclosed: Vec<Disclosed>) -> Raw {
    keys.into_iter().zip(disclosed).map(|(key, response)| (key, response.into_raw())).collect::<RawMap>().to_raw()
}

fn refused_words(by: &DecidedBy) -> String {
    match by {
        DecidedBy::Person { remembered: Some(_) } => "You said never to share folders with this server. Nothing was sent.".into(),
        DecidedBy::Person { remembered: None } => "You did not share your folders. Nothing was sent.".into(),
        DecidedBy::Grants { .. } => "A remembered decision says never to share folders with this server. Nothing was sent.".into(),
        DecidedBy::Rule => "Nobody answered the question about your folders. Nothing was sent.".into(),
    }
}
