//! What a server tells without being asked, by its meaning. Who it concerns, and what follows from it, is not decided here.

use serde_json::value::RawValue;

use crate::frame::RequestId;
use crate::model::read;
use crate::params::{Raw, RawMap};

/// How much a log message matters, the least first (RFC 5424).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// For those who look for a fault.
    Debug,
    /// Ordinary news.
    Info,
    /// News that stands out.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A part of the server fails.
    Critical,
    /// Somebody has to act.
    Alert,
    /// The server can't be used.
    Emergency,
}

/// A notification, read.
#[derive(Debug, Clone)]
pub enum Notice {
    /// `notifications/progress`
    Progress(Progress),
    /// `notifications/message`
    Log(LogMessage),
    /// `notifications/tools/list_changed`, `…/prompts/…`, `…/resources/…` and `notifications/resources/updated`. On a modern
    /// connection it counts only for the subscription that it names; [`Subscription`](crate::client::Subscription) does that.
    Change(Change),
    /// `notifications/elicitation/complete` (2025-11-25): what a link asked for was done.
    ElicitationComplete {
        /// The server's name for the question.
        elicitation_id: String,
    },
    /// Another one.
    Other,
}

/// How far a request has come.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The request: our id for it.
    pub token: RequestId,
    /// How far, as it stood.
    pub progress: Raw,
    /// How far it goes, as it stood.
    pub total: Option<Raw>,
    /// What is being done.
    pub message: Option<String>,
}

/// Something for the log.
#[derive(Debug, Clone)]
pub struct LogMessage {
    /// How much it matters; [`LogLevel::Info`] where the server named no level that there is.
    pub level: LogLevel,
    /// Which part of the server says it.
    pub logger: Option<String>,
    /// What it says, as it stood: any JSON.
    pub data: Raw,
}

/// What is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The lists of resources and of templates.
    Resources,
    /// One resource. May lie below the one that was listened to.
    Resource {
        /// Its address.
        uri: String,
    },
    /// More than could be kept: everything that was listened to may have changed.
    Everything,
}

impl LogLevel {
    /// All, the least first.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The protocol's word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// The level with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }
}

impl Notice {
    /// Reads one.
    ///
    /// # Errors
    /// Says what is wrong with the params of a known method; the notification is then worth showing, and nothing else.
    pub fn read(method: &str, params: Option<&RawValue>) -> Result<Self, String> {
        let map = || match params {
            None => Ok(RawMap::new()),
            Some(raw) if raw.get() == "null" => Ok(RawMap::new()),
            Some(raw) => read::object(raw),
        };
        if let Some(change) = Change::of(method, || read::required_text(&map()?, "uri")) {
            return change.map(Self::Change);
        }
        match method {
            "notifications/progress" => Progress::read(&map()?).map(Self::Progress),
            "notifications/message" => LogMessage::read(&map()?).map(Self::Log),
            "notifications/elicitation/complete" => Ok(Self::ElicitationComplete {
                elicitation_id: read::required_text(&map()?, "elicitationId")?,
            }),
            _ => Ok(Self::Other),
        }
    }
}

impl Change {
    /// The change that a notification tells of, where it is that kind of notification.
    pub(crate) fn of(method: &str, uri: impl FnOnce() -> Result<String, String>) -> Option<Result<Self, String>> {
        match method {
            "notifications/tools/list_changed" => Some(Ok(Self::Tools)),
            "notifications/prompts/list_changed" => Some(Ok(Self::Prompts)),
            "notifications/resources/list_changed" => Some(Ok(Self::Resources)),
            "notifications/resources/updated" => Some(uri().map(|uri| Self::Resource { uri })),
            _ => None,
        }
    }
}

impl Progress {
    /// The part that is done, from 0 to 1, where the total is known and the numbers make sense.
    pub fn fraction(&self) -> Option<f64> {
        let number = |raw: &Raw| raw.get().parse::<f64>().ok().filter(|number| number.is_finite());
        let (done, total) = (number(&self.progress)?, number(self.total.as_ref()?)?);
        (total > 0.0).then(|| (done / total).clamp(0.0, 1.0))
    }

    pub(crate) fn read(map: &RawMap) -> Result<Self, String> {
        let progress = read::raw(map, "progress")
            .filter(is_number)
            .ok_or("progress is not a number")?;
        Ok(Self {
            token: read::id(map, "progressToken").ok_or("progressToken is missing or of the wrong type")?,
            progress,
            total: read::raw(map, "total").filter(is_number),
            message: read::lenient(map, "message"),
        })
    }
}

impl LogMessage {
    fn read(map: &RawMap) -> Result<Self, String> {
        let level = map.text("level").and_then(|word| LogLevel::from_word(&word));
        Ok(Self {
            level: level.unwrap_or(LogLevel::Info),
            logger: read::lenient(map, "logger"),
            data: map.get("data").ok_or("data is missing")?.to_owned(),
        })
    }
}

fn is_number(raw: &Raw) -> bool {
    raw.get()
        .starts_with(|first: char| first == '-' || first.is_ascii_digit())
}
