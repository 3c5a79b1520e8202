//! Requests of a legacy server. The same questions, grants and record as on a modern connection; but the server waits,
//! so a refusal is an error to it, and the answer has a bound. A later yes counts for the next time it asks.

use std::time::Duration;

use gatehouse_mcp::client::{Declared, ServerRequest};
use gatehouse_mcp::params::RawMap;

use super::events::Hearing;
use super::sampled;
use crate::answer::build::{self, Occasion, Refused};
use crate::answer::roots::{Considered, consider, verdict};
use crate::answer::{self, Answered, Need, Verdict};
use crate::bounds;
use crate::call::calls::Only;
use crate::clock;
use crate::connection::declared;
use crate::error::Result;
use crate::ledger::Channel;
use crate::question::{Answer, Question, Subject};
use crate::view::{DecidedBy, FormAction, Trust, WhyView};

/// JSON-RPC: there is no such method.
const NO_SUCH_METHOD: i64 = -32601;
/// JSON-RPC: the params can't be used.
pub(super) const INVALID_PARAMS: i64 = -32602;
/// JSON-RPC: something went wrong on our side.
pub(super) const INTERNAL: i64 = -32603;
/// The person refused. The specification's word for a refused sampling request; used for roots and silence as well.
pub(super) const REFUSED: i64 = -1;

/// Serves one request to its end.
pub(super) async fn serve(hearing: Hearing, request: ServerRequest) {
    let method = request.method.clone();
    let served = match method.as_str() {
        "roots/list" => {
            hearing.settle.asking();
            let served = roots(&hearing, request).await;
            hearing.settle.answered();
            served
        }
        "elicitation/create" => elicited(&hearing, request).await,
        "sampling/createMessage" => sampled::serve(&hearing, request).await,
        _ => not_offered(&hearing, request).await,
    };
    if let Err(error) = served {
        tracing::warn!(
            server = hearing.asker.server,
            method,
            "a request could not be served: {error}"
        );
    }
}

async fn roots(hearing: &Hearing, request: ServerRequest) -> Result<()> {
    if !offered(hearing)?.roots {
        return not_offered(hearing, request).await;
    }
    let late = hearing.told.take_late();
    match consider(&hearing.core, &hearing.asker, why(hearing, "roots/list")).await {
        Ok(Considered::Decided(verdict)) => tell(hearing, request, verdict).await,
        // A late yes fills the place of the question, never that of a decision.
        Ok(Considered::Ask(question)) => match late {
            Some(verdict) => tell(hearing, request, verdict).await,
            None => ask_roots(hearing, request, *question).await,
        },
        Err(error) => {
            let _ = request
                .responder
                .error(INTERNAL, "the folders can't be looked up now")
                .await;
            Err(error)
        }
    }
}

async fn ask_roots(hearing: &Hearing, request: ServerRequest, mut question: Question) -> Result<()> {
    question.expires_at = Some(clock::now() + millis(bounds::LEGACY_ANSWER));
    let given_up = given_up(hearing);
    let mut asking = hearing.core.desk.ask(question.clone());
    let waits = Waits::begin(hearing);
    let in_time = tokio::select! {
        answer = asking.answer() => Some(answer),
        () = given_up => {
            drop(asking);
            let by = DecidedBy::Person { remembered: None };
            return tell(hearing, request, Verdict::Refuse { by, grants: Vec::new() }).await;
        }
        () = tokio::time::sleep(bounds::LEGACY_ANSWER) => None,
        () = request.responder.cancelled() => return build::note(&hearing.core, occasion(hearing), Channel::RootsRequest, Refused::Expired).await,
    };
    if let Some(answer) = in_time {
        if !offered(hearing)?.roots {
            return taken_back(hearing, request, Channel::RootsRequest).await;
        }
        return tell(hearing, request, verdict(&question.asker, &question.subject, answer)).await;
    }
    drop(waits);
    build::note(
        &hearing.core,
        occasion(hearing),
        Channel::RootsRequest,
        Refused::Expired,
    )
    .await?;
    let _ = request.responder.error(REFUSED, "nobody has answered yet").await;
    hearing.settle.answered();
    asking.expired();
    // The question stays open; a later yes counts for the next time the server asks, and the server is told to ask.
    let Some(answer) = asking.answer().await else {
        return Ok(());
    };
    match verdict(&question.asker, &question.subject, Some(answer)) {
        Verdict::Refuse { by, grants } => {
            return build::note(
                &hearing.core,
                occasion(hearing),
                Channel::RootsRequest,
                Refused::Decided { by, grants },
            )
            .await;
        }
        // What is to be remembered is so from now on, whether the server asks again or not.
        Verdict::Share { grants, .. } if !grants.is_empty() => {
            hearing
                .core
                .blocking(move |core| core.ledger.commit(&[], &grants).map(drop))
                .await?;
        }
        once @ (Verdict::Share { .. } | Verdict::ShareNone) => hearing.told.keep_late(once),
    }
    if let Some(live) = hearing.link.live().filter(|live| live.since == hearing.since) {
        let _ = live.client.notify("notifications/roots/list_changed", None).await;
    }
    Ok(())
}

async fn tell(hearing: &Hearing, request: ServerRequest, verdict: Verdict) -> Result<()> {
    let occasion = occasion(hearing);
    if let Verdict::Refuse { by, grants } = verdict {
        let noted = build::note(
            &hearing.core,
            occasion,
            Channel::RootsRequest,
            Refused::Decided { by, grants },
        )
        .await;
        let _ = request
            .responder
            .error(REFUSED, "the person does not share folders")
            .await;
        return noted;
    }
    deliver(hearing, request, Channel::RootsRequest, Answered::Roots(verdict)).await
}

async fn elicited(hearing: &Hearing, request: ServerRequest) -> Result<()> {
    let params = request.params.as_ref().and_then(|raw| RawMap::parse(raw.get()).ok());
    let declared = offered(hearing)?;
    if !declared.elicitation_form && !declared.elicitation_url {
        return not_offered(hearing, request).await;
    }
    let (subject, channel) = match answer::elicited(params.as_ref(), declared) {
        Ok(Need::Form(form)) => (Subject::Form(form), Channel::FormRequest),
        Ok(Need::Link(link)) => (Subject::Link(link), Channel::LinkRequest),
        Ok(Need::Roots | Need::Sample(_)) => return not_offered(hearing, request).await,
        Err(reason) => {
            let _ = request.responder.error(INVALID_PARAMS, &reason).await;
            return build::note(
                &hearing.core,
                occasion(hearing),
                Channel::FormRequest,
                Refused::NotOffered { note: reason },
            )
            .await;
        }
    };
    let question = Question {
        asker: hearing.asker.clone(),
        trust: Trust::Trusted,
        why: why(hearing, "elicitation/create"),
        expires_at: None,
        subject,
    };
    let given_up = given_up(hearing);
    let mut asking = hearing.core.desk.ask(question);
    let _waits = Waits::begin(hearing);
    let answer = tokio::select! {
        answer = asking.answer() => answer,
        () = given_up => None,
        () = request.responder.cancelled() => return build::note(&hearing.core, occasion(hearing), channel, Refused::Expired).await,
    };
    drop(asking);
    let now = offered(hearing)?;
    let is_offered = match channel {
        Channel::LinkRequest => now.elicitation_url,
        _ => now.elicitation_form,
    };
    if !is_offered {
        return taken_back(hearing, request, channel).await;
    }
    let answered = match answer {
        Some(Answer::Form { action, content }) => Answered::Form { action, content },
        Some(Answer::Link { action }) => Answered::Link { action },
        Some(_) | None if channel == Channel::LinkRequest => Answered::Link {
            action: FormAction::Cancel,
        },
        Some(_) | None => Answered::Form {
            action: FormAction::Cancel,
            content: None,
        },
    };
    deliver(hearing, request, channel, answered).await
}

/// Writes an answer down and gives it to the server; what can't be written down is not given.
pub(super) async fn deliver(
    hearing: &Hearing,
    request: ServerRequest,
    channel: Channel,
    answered: Answered,
) -> Result<()> {
    let of_roots = match &answered {
        Answered::Roots(verdict) => Some(verdict.is_remembered()),
        Answered::Form { .. } | Answered::Link { .. } | Answered::Sample(_) => None,
    };
    match build::commit(&hearing.core, occasion(hearing), vec![(channel, answered)]).await {
        Ok((disclosed, shared)) => {
            if let Some(by_grant) = of_roots {
                hearing.told.told(shared, by_grant);
            }
            if let Some(response) = disclosed.into_iter().next() {
                let _ = request.responder.result(response.into_raw()).await;
            }
            Ok(())
        }
        Err(error) => {
            let _ = request
                .responder
                .error(INTERNAL, "the answer could not be written down, so it is not given")
                .await;
            Err(error)
        }
    }
}

/// What the person left on for this server, now.
fn offered(hearing: &Hearing) -> Result<Declared> {
    declared(&hearing.core, &hearing.asker.server)
}

/// The offer was taken back while the question was open: nothing leaves.
async fn taken_back(hearing: &Hearing, request: ServerRequest, channel: Channel) -> Result<()> {
    let refused = Refused::Decided {
        by: DecidedBy::Rule,
        grants: Vec::new(),
    };
    let noted = build::note(&hearing.core, occasion(hearing), channel, refused).await;
    let words = format!("{} is no longer offered", request.method);
    let _ = request.responder.error(REFUSED, &words).await;
    noted
}

pub(super) async fn not_offered(hearing: &Hearing, request: ServerRequest) -> Result<()> {
    let method = request.method.clone();
    // The row comes before the answer: a server that floods waits for its own rows, and most of what it asks is counted only.
    let noted = match hearing.told.note_not_offered(&method) {
        None => Ok(()),
        Some(more) => {
            let channel = match method.as_str() {
                "roots/list" => Channel::RootsRequest,
                "sampling/createMessage" => Channel::SampleRequest,
                _ => Channel::OtherInput,
            };
            let times = if more > 0 {
                format!(" ({more} more times since the last row)")
            } else {
                String::new()
            };
            let note = format!(
                "it asked for {}, which was not offered to it{times}",
                crate::harmless::line(&method, bounds::LINE)
            );
            build::note(&hearing.core, occasion(hearing), channel, Refused::NotOffered { note }).await
        }
    };
    let _ = request
        .responder
        .error(NO_SUCH_METHOD, &format!("{method} is not offered"))
        .await;
    noted
}

/// While it lives, the call that the question is taken to belong to is shown as waiting for the person.
pub(super) struct Waits<'a>(&'a Hearing);

impl<'a> Waits<'a> {
    pub(super) fn begin(hearing: &'a Hearing) -> Self {
        hearing.core.calls.mark_waiting(&hearing.asker.server, true);
        Self(hearing)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.core.calls.mark_waiting(&self.0.asker.server, false);
    }
}

/// A legacy request does not say which call it belongs to; where just one is under way, it is that one's.
pub(super) fn why(hearing: &Hearing, method: &str) -> WhyView {
    match hearing.core.calls.only_running(&hearing.asker.server) {
        Some(call) => call.why(1),
        None => WhyView {
            call: None,
            method: method.to_owned(),
            target: None,
            args: None,
            round: 1,
        },
    }
}

/// Waits until the person cancels the call that a question is taken to belong to; for ever where there is none.
pub(super) fn given_up(hearing: &Hearing) -> impl Future<Output = ()> + use<> {
    let call = hearing.core.calls.only_running(&hearing.asker.server);
    async move {
        match call {
            Some(call) => call.cancelled().await,
            None => std::future::pending().await,
        }
    }
}

pub(super) fn occasion(hearing: &Hearing) -> Occasion {
    let call = hearing.core.calls.only_running(&hearing.asker.server);
    Occasion {
        asker: hearing.asker.clone(),
        words: call.as_ref().map(Only::words),
        call: call.as_ref().map(Only::number),
        round: 1,
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
