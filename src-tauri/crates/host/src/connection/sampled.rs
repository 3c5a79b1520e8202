//! `sampling/createMessage` of a legacy server. The same question, grants and record as on a modern connection; the server
//! waits, so a refusal is an error to it. A late answer fits no later request, so none is kept.

use gatehouse_mcp::client::ServerRequest;
use gatehouse_mcp::params::RawMap;

use super::events::Hearing;
use super::legacy::{INTERNAL, INVALID_PARAMS, REFUSED, Waits, deliver, given_up, not_offered, occasion, why};
use crate::answer::build::{self, Refused};
use crate::answer::sample::{Considered, consider, verdict};
use crate::answer::{self, Answered, Need, SampleVerdict};
use crate::bounds;
use crate::connection::declared;
use crate::error::Result;
use crate::ledger::Channel;
use crate::question::{Question, SampleAsk, Subject};
use crate::view::{DecidedBy, Trust};

/// The specification's word for it.
const REJECTED: &str = "User rejected sampling request";
/// The first revision that knows an answer of several blocks.
const LISTS_SINCE: &str = "2025-11-25";

/// Serves one request to its end.
pub(super) async fn serve(hearing: &Hearing, request: ServerRequest) -> Result<()> {
    let offered = declared(&hearing.core, &hearing.asker.server)?;
    if !offered.sampling {
        return not_offered(hearing, request).await;
    }
    let params = request.params.as_ref().and_then(|raw| RawMap::parse(raw.get()).ok());
    let ask = match answer::sample(params.as_ref(), offered, single(hearing)) {
        Ok(Need::Sample(ask)) => *ask,
        Ok(Need::Roots | Need::Form(_) | Need::Link(_)) => return not_offered(hearing, request).await,
        Err(reason) => {
            let refused = Refused::NotOffered { note: reason.clone() };
            let noted = build::note(&hearing.core, occasion(hearing), Channel::SampleRequest, refused).await;
            let _ = request.responder.error(INVALID_PARAMS, &reason).await;
            return noted;
        }
    };
    let now = occasion(hearing);
    let given_up = given_up(hearing);
    let considered = tokio::select! {
        considered = consider(&hearing.core, &now, ask) => considered,
        () = given_up => return tell(hearing, request, refused(DecidedBy::Person { remembered: None }, None)).await,
        () = request.responder.cancelled() => return expired(hearing).await,
    };
    match considered {
        Ok(Considered::Answered(verdict) | Considered::Refused(verdict)) => tell(hearing, request, verdict).await,
        Ok(Considered::Ask(ask)) => put(hearing, request, *ask).await,
        Err(error) => {
            let words = "the answer could not be written down, so it is not given";
            let _ = request.responder.error(INTERNAL, words).await;
            Err(error)
        }
    }
}

async fn put(hearing: &Hearing, request: ServerRequest, ask: SampleAsk) -> Result<()> {
    let question = Question {
        asker: hearing.asker.clone(),
        trust: Trust::Trusted,
        why: why(hearing, "sampling/createMessage"),
        // How long the server itself waits is not known, and ours is longer than most.
        expires_at: None,
        subject: Subject::Sample(Box::new(ask)),
    };
    let given_up = given_up(hearing);
    let mut asking = hearing.core.desk.ask(question);
    let _waits = Waits::begin(hearing);
    let answer = tokio::select! {
        answer = asking.answer() => answer,
        // With the call goes its question; an old server waits for a word all the same.
        () = given_up => {
            drop(asking);
            return tell(hearing, request, refused(DecidedBy::Person { remembered: None }, None)).await;
        }
        () = tokio::time::sleep(bounds::LEGACY_SAMPLE) => {
            let noted = expired(hearing).await;
            let _ = request.responder.error(REFUSED, "nobody has answered in time").await;
            return noted;
        }
        () = request.responder.cancelled() => return expired(hearing).await,
    };
    let given = verdict(&hearing.asker, answer);
    if !declared(&hearing.core, &hearing.asker.server)?.sampling {
        let note = "the offer was taken back while the question was open".to_owned();
        let withdrawn = refused(DecidedBy::Rule, Some(note));
        return tell(hearing, request, withdrawn).await;
    }
    tell(hearing, request, given).await
}

async fn tell(hearing: &Hearing, request: ServerRequest, verdict: SampleVerdict) -> Result<()> {
    if verdict.result.is_some() {
        return deliver(hearing, request, Channel::SampleRequest, Answered::Sample(verdict)).await;
    }
    let refused = Refused::Sample(verdict);
    let noted = build::note(&hearing.core, occasion(hearing), Channel::SampleRequest, refused).await;
    let _ = request.responder.error(REFUSED, REJECTED).await;
    noted
}

fn refused(by: DecidedBy, note: Option<String>) -> SampleVerdict {
    SampleVerdict {
        result: None,
        by,
        grants: Vec::new(),
        note,
    }
}

async fn expired(hearing: &Hearing) -> Result<()> {
    build::note(
        &hearing.core,
        occasion(hearing),
        Channel::SampleRequest,
        Refused::Expired,
    )
    .await
}

/// Revisions are dates, so they compare as texts. Before the connection stands, the older form is right for both.
fn single(hearing: &Hearing) -> bool {
    let live = hearing.link.live().filter(|live| live.since == hearing.since);
    live.is_none_or(|live| live.client.era().version.as_str() < LISTS_SINCE)
}
