//! What an answer to `server/discover` or `initialize` says about a server. Pure: nothing is sent here.

use super::version;
use crate::client::{EraKind, Outcome, Reply, ServerIdentity};
use crate::error::known::{HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION};
use crate::error::{ConnectError, ErrorObject, ExchangeError};
use crate::model::icon::icons;
use crate::model::read;
use crate::params::{Params, RawMap};

/// What the end of the probe says.
#[derive(Debug)]
pub(super) enum Probed {
    /// It is modern and speaks our revision.
    Modern(ServerIdentity),
    /// It is modern, and names our revision after refusing it.
    Again(Vec<String>),
    /// `initialize` comes next.
    Legacy,
    /// It speaks nothing of ours.
    Nothing(Vec<String>),
    /// It is gone.
    Gone(String),
}

/// What the end of `initialize` says.
#[derive(Debug)]
pub(super) enum Greeted {
    /// It agreed to a revision of ours.
    Agreed(&'static str, ServerIdentity),
    /// It refused the revision, and named this one.
    Offers(&'static str, ErrorObject),
    /// It did not work.
    Failed(ConnectError),
}

/// Judges the end of `server/discover`.
pub(super) fn probed(answer: Result<Reply, ExchangeError>) -> Probed {
    match answer {
        Ok(reply) => discovered(&reply).unwrap_or(Probed::Legacy),
        Err(ExchangeError::Server(error)) => refused(&error),
        Err(ExchangeError::Closed { reason }) => Probed::Gone(reason),
        Err(_) => Probed::Legacy,
    }
}

/// Judges the end of `initialize`.
pub(super) fn greeted(answer: Result<Reply, ExchangeError>) -> Greeted {
    let failed = |reason: String| Greeted::Failed(ConnectError::BadReply { reason });
    match answer {
        Ok(reply) => {
            let result = match reply.outcome(EraKind::Legacy) {
                Ok(Outcome::Complete(result)) => result,
                Ok(Outcome::InputRequired { .. }) => return failed("the handshake asks for input".into()),
                Err(error) => return failed(error.to_string()),
            };
            let offered = match read::required_text(&result, "protocolVersion") {
                Ok(offered) => vec![offered],
                Err(reason) => return failed(reason),
            };
            match version::legacy(&offered) {
                Some(version) => Greeted::Agreed(version, identity(&result, result.get("serverInfo"))),
                None => Greeted::Failed(ConnectError::NoCommonVersion { offered }),
            }
        }
        Err(ExchangeError::Server(error)) => match version::legacy(&supported(&error)) {
            Some(version) => Greeted::Offers(version, error),
            None => Greeted::Failed(ConnectError::Refused(error)),
        },
        Err(ExchangeError::Closed { reason }) => Greeted::Failed(ConnectError::Exited { status: reason }),
        Err(ExchangeError::BadReply { reason, .. }) => failed(reason),
        Err(error) => failed(error.to_string()),
    }
}

/// `None` where it is no `DiscoverResult`.
fn discovered(reply: &Reply) -> Option<Probed> {
    let Ok(Outcome::Complete(result)) = reply.outcome(EraKind::Modern) else {
        return None;
    };
    let offered: Vec<String> = serde_json::from_str(result.get("supportedVersions")?.get()).ok()?;
    if version::modern(&offered) {
        let meta: Option<Params> = read::lenient(&result, "_meta");
        let info = meta
            .as_ref()
            .and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
        return Some(Probed::Modern(identity(&result, info)));
    }
    Some(if version::legacy(&offered).is_some() {
        Probed::Legacy
    } else {
        Probed::Nothing(offered)
    })
}

fn refused(error: &ErrorObject) -> Probed {
    match error.code {
        HEADER_MISMATCH | MISSING_CAPABILITY => Probed::Modern(ServerIdentity::default()),
        UNSUPPORTED_VERSION => {
            let offered = supported(error);
            if version::modern(&offered) {
                Probed::Again(offered)
            } else if version::legacy(&offered).is_some() {
                Probed::Legacy
            } else {
                Probed::Nothing(offered)
            }
        }
        _ => Probed::Legacy,
    }
}

fn supported(error: &ErrorObject) -> Vec<String> {
    let data = error.data.as_ref().and_then(|data| read::object(data).ok());
    data.and_then(|data| read::lenient(&data, "supported"))
        .unwrap_or_default()
}

fn identity(result: &RawMap, info: Option<&serde_json::value::RawValue>) -> ServerIdentity {
    let info = info.and_then(|info| read::object(info).ok()).unwrap_or_default();
    ServerIdentity {
        name: info.text("name").unwrap_or_default(),
        title: info.text("title"),
        version: info.text("version").unwrap_or_default(),
        description: info.text("description"),
        website_url: info.text("websiteUrl"),
        icons: icons(&info),
        instructions: result.text("instructions"),
        capabilities: read::lenient(result, "capabilities").unwrap_or_default(),
    }
}
