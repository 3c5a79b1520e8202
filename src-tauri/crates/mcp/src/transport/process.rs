//! A server's process and its end: the stop ladder.

use std::time::Duration;

use crate::bounds;

/// The times of the stop ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopTimes {
    /// After stdin was closed.
    pub close: Duration,
    /// After the terminate signal.
    pub term: Duration,
    /// After the kill signal.
    pub kill: Duration,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// By itself, or when its stdin was closed.
    Closed,
    /// By the terminate signal.
    Terminated,
    /// By the kill signal.
    Killed,
    /// It, or some of its group, outlived the kill signal.
    LeftBehind,
}

/// A server's process. Dropping it runs the stop ladder in the background.
pub struct Process {
    pid: u32,
}

impl Default for StopTimes {
    fn default() -> Self {
        Self { close: bounds::STOP_CLOSE, term: bounds::STOP_TERM, kill: bounds::STOP_KILL }
    }
}

impl Process {
    /// The process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Closes stdin, waits, terminates the group, waits, kills the group. What is left of the group after the leader's exit is ended too.
    /// May be called again; every call resolves when the end is known.
    pub async fn stop(&self) -> Stopped {
        unimplemented!()
    }
}
