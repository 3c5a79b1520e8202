//! Suggestions for one argument while it is typed: what is asked, and what comes back. When to ask is the host's business.

use serde::Serialize;

use crate::bounds::{COMPLETION_LENGTH, COMPLETIONS};
use crate::model::read;
use crate::params::{Params, Raw, RawMap};

/// Whose argument is completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompletionOf {
    /// A prompt's.
    Prompt {
        /// The name of the prompt.
        name: String,
    },
    /// A variable of a resource template.
    Template {
        /// The template.
        uri_template: String,
    },
}

/// What is to be completed.
#[derive(Debug, Clone)]
pub struct Completing {
    /// Whose argument.
    pub of: CompletionOf,
    /// Its name.
    pub argument: String,
    /// What was typed so far.
    pub value: String,
    /// The other arguments that are settled, by name.
    pub context: Vec<(String, String)>,
}

/// What a server suggests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// The suggestions, best first.
    pub values: Vec<String>,
    /// How many there are in all, as claimed.
    pub total: Option<u64>,
    /// Whether there are more than these.
    pub has_more: bool,
}

impl Completing {
    /// The params of `completion/complete`.
    pub(crate) fn params(&self) -> Params {
        let reference = match &self.of {
            CompletionOf::Prompt { name } => object("ref/prompt", "name", name),
            CompletionOf::Template { uri_template } => object("ref/resource", "uri", uri_template),
        };
        let argument = RawMap::new().with("name", &self.argument).with("value", &self.value);
        let params = Params::new().with("ref", &reference).with("argument", &argument);
        if self.context.is_empty() {
            return params;
        }
        let settled: RawMap = self
            .context
            .iter()
            .map(|(name, value)| (name.clone(), raw(value)))
            .collect();
        params.with("context", &RawMap::new().with("arguments", &settled))
    }
}

impl Completion {
    /// Reads the result; what is no suggestion is left out.
    ///
    /// # Errors
    /// There is no `completion` with a list of values.
    pub fn read(map: &RawMap) -> Result<Self, String> {
        let completion = map.get("completion").ok_or("completion is missing")?;
        let completion = read::object(completion).map_err(|reason| format!("completion: {reason}"))?;
        let values = completion.get("values").ok_or("values is missing")?;
        read::array(values).map_err(|reason| format!("values: {reason}"))?;
        let mut values = read::texts(&completion, "values");
        values.retain(|value| value.len() <= COMPLETION_LENGTH);
        let cut = values.len() > COMPLETIONS;
        values.truncate(COMPLETIONS);
        let total = read::lenient(&completion, "total");
        Ok(Self {
            has_more: cut
                || read::holds(&completion, "hasMore")
                || total.is_some_and(|total| total > values.len() as u64),
            values,
            total,
        })
    }
}

fn object(kind: &str, key: &str, value: &str) -> RawMap {
    RawMap::new().with("type", &kind).with(key, &value)
}

fn raw(value: &impl Serialize) -> Raw {
    serde_json::value::to_raw_value(value).expect("text serialises")
}
