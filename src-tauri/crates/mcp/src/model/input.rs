//! One input request of an `input_required` result. What it asks for is read by `elicit`, or needs no reading.

use crate::model::read;
use crate::params::{Raw, RawMap};

/// What a server wants to know before it goes on.
#[derive(Debug, Clone)]
pub struct InputRequest {
    /// The method, known or not.
    pub method: String,
    /// The params; `null` counts as absent.
    pub params: Option<RawMap>,
    /// The request as it stood.
    pub raw: Raw,
}

impl InputRequest {
    /// Reads one.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(raw: Raw) -> Result<Self, String> {
        let map = read::object(&raw)?;
        let method = read::required_text(&map, "method")?;
        let params = match read::present(&map, "params") {
            None => None,
            Some(params) => Some(read::object(params).map_err(|reason| format!("params: {reason}"))?),
        };
        Ok(Self { method, params, raw })
    }
}
