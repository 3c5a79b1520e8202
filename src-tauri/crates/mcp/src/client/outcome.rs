//! What a good answer means: `resultType` first, then the rest. The result of the method itself is not read here.

use super::{EraKind, Reply};
use crate::bounds::INPUT_REQUESTS;
use crate::error::ExchangeError;
use crate::model::input::InputRequest;
use crate::model::read;
use crate::params::{Raw, RawMap};

/// What the server answered.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The result.
    Complete(RawMap),
    /// More is needed before there is a result.
    InputRequired {
        /// What is needed, in the server's order; empty where only the state is to come back.
        requests: Vec<(String, InputRequest)>,
        /// What goes back with the next round: the exact JSON text of a string.
        state: Option<Raw>,
    },
}

impl Reply {
    /// Dispatches on `resultType`. On a legacy connection every result is complete.
    ///
    /// # Errors
    /// [`ExchangeError::BadReply`] where the result fits neither outcome.
    pub fn outcome(&self, era: EraKind) -> Result<Outcome, ExchangeError> {
        self.read(era).map_err(|reason| self.bad(reason))
    }

    /// An error that blames this reply.
    pub(crate) fn bad(&self, reason: impl Into<String>) -> ExchangeError {
        ExchangeError::BadReply {
            reason: reason.into(),
            frame: self.frame.clone(),
        }
    }

    fn read(&self, era: EraKind) -> Result<Outcome, String> {
        let map = read::object(&self.result)?;
        if era == EraKind::Legacy {
            return Ok(Outcome::Complete(map));
        }
        let Some(kind) = map.get("resultType") else {
            return Ok(Outcome::Complete(map));
        };
        let kind: String = serde_json::from_str(kind.get()).map_err(|_| "resultType is not a string")?;
        match kind.as_str() {
            "complete" => Ok(Outcome::Complete(map)),
            "input_required" => input_required(&map),
            other => Err(format!("resultType {other:?} is not known")),
        }
    }
}

fn input_required(map: &RawMap) -> Result<Outcome, String> {
    let state = read::raw(map, "requestState");
    if state.as_ref().is_some_and(|raw| !raw.get().starts_with('"')) {
        return Err("requestState is not a string".into());
    }
    let asked = match read::present(map, "inputRequests") {
        None => RawMap::new(),
        Some(raw) => read::object(raw).map_err(|reason| format!("inputRequests: {reason}"))?,
    };
    if asked.is_empty() && state.is_none() {
        return Err("input is required, but neither asked for nor is there a state".into());
    }
    if asked.len() > INPUT_REQUESTS {
        return Err(format!(
            "{} input requests in one result, at most {INPUT_REQUESTS} are read",
            asked.len()
        ));
    }
    let requests = asked
        .iter()
        .map(|(key, raw)| match InputRequest::read(raw.to_owned()) {
            Ok(request) => Ok((key.to_owned(), request)),
            Err(reason) => Err(format!("input request {key:?}: {reason}")),
        })
        .collect::<Result<_, _>>()?;
    Ok(Outcome::InputRequired { requests, state })
}
