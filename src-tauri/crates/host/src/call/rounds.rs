//! The rounds of one call: a request, an answer, and where the answer asks for input, the next request with it.
//!
//! Specification: basic/patterns/mrtr. A retry is a new request with the same method and params, the responses at this
//! round's keys, and the last state exactly as it came, or none.

use std::sync::Arc;
use std::time::Instant;

use gatehouse_mcp::client::{EraKind, Limit, Outcome};
use gatehouse_mcp::error::ExchangeError;
use gatehouse_mcp::model::input::InputRequest;
use gatehouse_mcp::params::{Params, Raw, RawMap};

use super::asking::{Asked, ask, channel};
use super::exchange::{Limits, exchange};
use super::pages::{self, Visited};
use super::running::Running;
use crate::answer::build::{self, Looked, Occasion, Refused};
use crate::answer::roots::consider;
use crate::answer::{self, Need};
use crate::bounds;
use crate::connection::Live;
use crate::core::Core;
use crate::error::{HostError, Result};
use crate::ledger::{Channel, Disclosed};
use crate::view::DecidedBy;

/// How the rounds ended.
pub(super) enum Ended {
    /// With a result.
    Complete(RawMap),
    /// With a refusal, in words. Nothing was sent.
    Declined(String),
}

/// Drives a call's rounds to their end.
pub(super) async fn drive(
    core: &Arc<Core>,
    live: &Live,
    running: &Running,
    method: &str,
    params: Params,
    limit: Limit,
) -> Result<Ended> {
    live.settle.settled().await;
    let client = &live.client;
    let (mut responses, mut state): (Option<Raw>, Option<Raw>) = (None, None);
    let mut pause = bounds::PAUSE_FIRST;
    // What is left of the longest time: the server's and the pauses, not the person's.
    let mut limits = Limits::of(limit);
    for round in 1..=bounds::ROUNDS {
        running.enter(round);
        let request = with_answers(&params, responses.take(), state.take());
        let began = Instant::now();
        let exchanged = exchange(running, client, method, request, limits).await;
        limits.left = limits.left.saturating_sub(began.elapsed());
        let outcome = match exchanged {
            Ok(outcome) => outcome,
            Err(error) => match pages::named(client, method, &error) {
                Some(pages) if round < bounds::ROUNDS => match pages::visit(core, live, running, round, pages).await? {
                    Visited::All => continue,
                    Visited::Refused(words) => return Ok(Ended::Declined(words)),
                },
                Some(_) | None => return Err(error),
            },
        };
        let (requests, next) = match outcome {
            Outcome::Complete(result) => return Ok(Ended::Complete(result)),
            // No request can follow the last round, so nobody is asked for an answer that would not leave.
            Outcome::InputRequired { .. } if round == bounds::ROUNDS => break,
            Outcome::InputRequired { requests, state } => (requests, state),
        };
        state = next;
        if requests.is_empty() {
            if pause > limits.left {
                return Err(limits.too_long(running));
            }
            tokio::time::sleep(pause).await;
            limits.left -= pause;
            pause = (pause * 2).min(bounds::PAUSE_MAX);
            continue;
        }
        match answers(core, live, running, round, requests).await? {
            Round::Answered(built) => {
                responses = Some(built);
                limits.told = true;
            }
            Round::Declined(message) => return Ok(Ended::Declined(message)),
        }
    }
    let reason = format!(
        "it asked for input {} times in one call; the call was ended",
        bounds::ROUNDS
    );
    Err(HostError::Protocol {
        server: running.server().to_owned(),
        reason,
    })
}

enum Round {
    Answered(Raw),
    Declined(String),
}

/// Every input request of a round is answered before any answer leaves; one refusal of roots ends the call with nothing sent.
async fn answers(
    core: &Arc<Core>,
    live: &Live,
    running: &Running,
    round: u64,
    requests: Vec<(String, InputRequest)>,
) -> Result<Round> {
    debug_assert_eq!(
        live.client.era().kind,
        EraKind::Modern,
        "legacy results hold no input requests"
    );
    let occasion = Occasion {
        asker: live.asker.clone(),
        words: Some(running.words()),
        call: Some(running.number()),
        round,
    };
    running.gathered().asked(round, &requests);
    let declared = live.client.declared();
    let mut needs = Vec::with_capacity(requests.len());
    for (key, request) in &requests {
        match answer::need(request, declared) {
            Ok(need) => needs.push((key.clone(), need)),
            Err(reason) => {
                let reason = crate::harmless::line(&reason, bounds::LINE);
                let channel = match request.method.as_str() {
                    "roots/list" => Channel::RootsInput,
                    "sampling/createMessage" => Channel::SampleInput,
                    _ => Channel::OtherInput,
                };
                build::note(core, occasion, channel, Refused::NotOffered { note: reason.clone() }).await?;
                return Err(HostError::Protocol {
                    server: running.server().to_owned(),
                    reason,
                });
            }
        }
    }
    let asks_roots = needs.iter().any(|(_, need)| matches!(need, Need::Roots));
    let mut considered = None;
    if asks_roots {
        let alone = needs.iter().all(|(_, need)| matches!(need, Need::Roots));
        considered = Some(if alone {
            // Nothing else is asked: where the grants allow it, no person and no second look stands between.
            match build::look(core, occasion.clone(), running.why(round), needs.len()).await? {
                Looked::WrittenDown(disclosed, shared) => {
                    live.told.told(shared, false);
                    let keys = needs.into_iter().map(|(key, _)| key).collect();
                    return Ok(Round::Answered(input_responses(keys, disclosed)));
                }
                Looked::Considered(considered) => considered,
            }
        } else {
            consider(core, &live.asker, running.why(round)).await?
        });
    }
    let first = needs.first().map_or(Channel::OtherInput, |(_, need)| channel(need));
    let asked = tokio::select! {
        asked = ask(core, live, running, &occasion, considered, &mut needs) => asked?,
        // The question goes with the process that asked: no answer to it could be sent.
        () = live.client.ended() => {
            build::note(core, occasion, first, Refused::Expired).await?;
            return Err(died(running));
        }
    };
    let answered = match asked {
        Asked::Answered(answered) => answered,
        Asked::Refused(refusal) => {
            for (channel, refused) in refusal.rows {
                build::note(core, occasion.clone(), channel, refused).await?;
            }
            return Ok(Round::Declined(refusal.words));
        }
    };
    running.resume();
    // Nothing can leave for a process that ended meanwhile, so the record must not say that it did.
    if live.client.is_closed() {
        return Err(died(running));
    }
    // An offer may have been taken back while the question was open.
    let offered = live.client.declared();
    if let Some((_, need)) = needs.iter().find(|(_, need)| !need.is_offered(offered)) {
        let refused = Refused::Decided {
            by: DecidedBy::Rule,
            grants: Vec::new(),
        };
        build::note(core, occasion, channel(need), refused).await?;
        let what = need.word();
        return Ok(Round::Declined(format!(
            "{what} are no longer offered to this server. Nothing was sent."
        )));
    }
    running.gathered().answered(&needs, &answered);
    let keys = needs.into_iter().map(|(key, _)| key).collect();
    let (disclosed, shared) = build::commit(core, occasion, answered).await?;
    live.told.told(shared, false);
    Ok(Round::Answered(input_responses(keys, disclosed)))
}

/// The process that asked has ended.
fn died(running: &Running) -> HostError {
    HostError::Exchange {
        meaning: None,
        server: running.server().to_owned(),
        source: ExchangeError::Closed {
            reason: "it ended while its question was open".into(),
        },
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
    keys.into_iter()
        .zip(disclosed)
        .map(|(key, response)| (key, response.into_raw()))
        .collect::<RawMap>()
        .to_raw()
}
