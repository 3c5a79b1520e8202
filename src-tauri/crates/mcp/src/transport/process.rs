//! A server's process as the host sees it: an id, and a stop. The ladder itself is the keeper's.

use std::time::Duration;

use tokio::sync::watch;

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
    stop: watch::Sender<bool>,
    stopped: watch::Receiver<Option<Stopped>>,
}

impl Default for StopTimes {
    fn default() -> Self {
        Self {
            close: bounds::STOP_CLOSE,
            term: bounds::STOP_TERM,
            kill: bounds::STOP_KILL,
        }
    }
}

impl Process {
    pub(super) fn new(pid: u32, stop: watch::Sender<bool>, stopped: watch::Receiver<Option<Stopped>>) -> Self {
        Self { pid, stop, stopped }
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Closes stdin, waits, terminates the group, waits, kills the group. What is left of the group after the leader's exit is ended too.
    /// May be called again; every call resolves when the end is known.
    pub async fn stop(&self) -> Stopped {
        self.stop.send_replace(true);
        let mut stopped = self.stopped.clone();
        // The keeper goes without a word only with the runtime, and then the group was killed.
        stopped
            .wait_for(Option::is_some)
            .await
            .ok()
            .and_then(|stopped| *stopped)
            .unwrap_or(Stopped::Killed)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

impl std::fmt::Debug for Process {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Process")
            .field("pid", &self.pid)
            .finish_non_exhaustive()
    }
}
