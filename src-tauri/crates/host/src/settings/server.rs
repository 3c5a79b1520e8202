//! The settings of a server: their keys, values and defaults.

use gatehouse_mcp::model::notice::LogLevel;

use super::{number, switch, unknown};
use crate::bounds;
use crate::view::{EraChoice, ServerSettings};

pub(super) const TIME_LIMIT: &str = "time-limit";

impl EraChoice {
    /// Each, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Automatic, Self::Modern, Self::Legacy];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Modern => "modern",
            Self::Legacy => "legacy",
        }
    }
}

impl Default for ServerSettings {
    /// Roots, forms and links are offered, since each is a question each time; model answers cost money, so they are not.
    fn default() -> Self {
        Self {
            era: EraChoice::Automatic,
            roots: true,
            forms: true,
            links: true,
            sampling: false,
            time_limit: None,
            log: None,
            history: true,
        }
    }
}

impl ServerSettings {
    /// The keys, in the order in which they are shown.
    pub const KEYS: [&str; 8] = [
        "era", "roots", "forms", "links", "sampling", TIME_LIMIT, "log", "history",
    ];

    /// These settings with one of them changed.
    ///
    /// # Errors
    /// What is wrong, and what would be right.
    pub(super) fn with(mut self, key: &str, value: &str) -> Result<Self, String> {
        match key {
            "era" => {
                let era = EraChoice::ALL.into_iter().find(|era| era.word() == value);
                self.era = era.ok_or("era must be automatic, modern or legacy")?;
            }
            "roots" => self.roots = switch(key, value)?,
            "forms" => self.forms = switch(key, value)?,
            "links" => self.links = switch(key, value)?,
            "sampling" => self.sampling = switch(key, value)?,
            "history" => self.history = switch(key, value)?,
            TIME_LIMIT if value == "default" => self.time_limit = None,
            TIME_LIMIT => {
                let read = number(key, value, bounds::TIME_LIMIT_SET, "seconds");
                self.time_limit = Some(read.map_err(|reason| format!("{reason}, or default"))?);
            }
            "log" if value == "off" => self.log = None,
            "log" => {
                let level = LogLevel::from_word(value).ok_or_else(|| {
                    let words = LogLevel::ALL.map(LogLevel::word).join(", ");
                    format!("log must be off or one of {words}")
                })?;
                self.log = Some(level.word().to_owned());
            }
            _ => return Err(unknown(key, "a server", &Self::KEYS)),
        }
        Ok(self)
    }

    /// The word for the value of a key; none where there is no such key.
    pub fn word(&self, key: &str) -> Option<String> {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        Some(match key {
            "era" => self.era.word().to_owned(),
            "roots" => on_off(self.roots),
            "forms" => on_off(self.forms),
            "links" => on_off(self.links),
            "sampling" => on_off(self.sampling),
            "history" => on_off(self.history),
            TIME_LIMIT => self
                .time_limit
                .map_or_else(|| "default".to_owned(), |limit| limit.to_string()),
            "log" => self.log.clone().unwrap_or_else(|| "off".to_owned()),
            _ => return None,
        })
    }
}
