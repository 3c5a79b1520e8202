//! How much of a server's log is wanted, in the words of each era. Log messages come as events.

use super::{Client, EraKind, Limit};
use crate::error::ExchangeError;
use crate::model::notice::LogLevel;
use crate::model::read;
use crate::params::Params;

/// What became of a wish for log messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogSetting {
    /// Every request from the next one on says it.
    NextRequest,
    /// The server has taken note.
    Accepted,
    /// The server keeps no log for clients; nothing was sent.
    NotOffered,
}

impl Client {
    /// Says which log messages are wanted: those of this level and above, or none. A legacy server can't be asked for none:
    /// where a level was set before, it is asked for the highest.
    ///
    /// # Errors
    /// A legacy server refused.
    pub async fn set_log_level(&self, level: Option<LogLevel>) -> Result<LogSetting, ExchangeError> {
        match self.era().kind {
            EraKind::Modern => {
                self.link.want_log(level);
                Ok(LogSetting::NextRequest)
            }
            EraKind::Legacy if read::present(&self.identity().capabilities, "logging").is_none() => {
                Ok(LogSetting::NotOffered)
            }
            EraKind::Legacy => {
                if let Some(asked) = level.or_else(|| self.log_level().map(|_| LogLevel::Emergency)) {
                    let params = Params::new().with("level", &asked.word());
                    self.request("logging/setLevel", params, Limit::LIST).await?;
                    self.link.want_log(level);
                }
                Ok(LogSetting::Accepted)
            }
        }
    }

    /// The level that is wanted at this moment.
    pub fn log_level(&self) -> Option<LogLevel> {
        self.link.said().log
    }
}
