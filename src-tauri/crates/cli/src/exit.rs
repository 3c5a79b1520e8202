//! Exit codes, and which end gets which.

use gatehouse_host::{Code, HostError};

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// The server or tool answered with an error.
    Answered = 1,
    /// Usage or configuration.
    Usage = 2,
    /// Refused, or nobody to ask.
    Refused = 3,
    /// The server did not start or died.
    Died = 4,
    /// A time limit ran out.
    TimedOut = 5,
    /// Ended by a signal of the person's (Ctrl+C).
    Interrupted = 130,
}

impl Exit {
    /// The code of an error of the host's.
    pub fn of(error: &HostError) -> Self {
        // A decision that was taken back is a refusal, whatever its code means to a page.
        if matches!(error, HostError::Withdrawn { .. }) {
            return Self::Refused;
        }
        match error.code() {
            Code::NotFound
            | Code::Invalid
            | Code::Exists
            | Code::Conflict
            | Code::NoPicker
            | Code::Gone
            | Code::Storage => Self::Usage,
            Code::NotTrusted => Self::Refused,
            Code::StartFailed | Code::Closed => Self::Died,
            Code::ServerError | Code::Forgot | Code::BadReply | Code::Busy | Code::Protocol | Code::NotInThisEra => {
                Self::Answered
            }
            Code::TimedOut => Self::TimedOut,
            Code::Cancelled => Self::Interrupted,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
