//! The task that owns a server's process: it sees the exit, climbs the stop ladder and ends what is left of the group.
//! It tells the link when the exchange is over, and nothing else.

use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use process_wrap::tokio::ChildWrapper;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::exit;
use super::process::{StopTimes, Stopped};
use super::spawn::{Group, Signal, Started};
use crate::bounds::DRAIN;
use crate::client::Link;

/// How often a group is looked at while it should vanish.
const LOOK: Duration = Duration::from_millis(10);

/// A process and what hangs on it.
pub(super) struct Keeper {
    child: Box<dyn ChildWrapper>,
    group: Group,
    link: Arc<Link>,
    errors: JoinHandle<()>,
    times: StopTimes,
}

enum First {
    Exit(std::io::Result<ExitStatus>),
    Silence,
    Stop,
}

impl Keeper {
    pub(super) fn new(started: Started, link: Arc<Link>, errors: JoinHandle<()>, times: StopTimes) -> Self {
        Self {
            child: started.child,
            group: started.group,
            link,
            errors,
            times,
        }
    }

    /// Runs until nothing is left of the process.
    pub(super) async fn keep(mut self, mut stop: watch::Receiver<bool>, stopped: watch::Sender<Option<Stopped>>) {
        let first = tokio::select! {
            status = self.child.wait() => First::Exit(status),
            () = self.link.output_ended() => First::Silence,
            _ = stop.wait_for(|stop| *stop) => First::Stop,
        };
        let how = match first {
            First::Exit(status) => {
                self.conclude(&exit::words(&status), false).await;
                Stopped::Closed
            }
            First::Silence => match timeout(DRAIN, self.child.wait()).await {
                Ok(status) => {
                    self.conclude(&exit::words(&status), false).await;
                    Stopped::Closed
                }
                Err(_) => {
                    self.link.end("the server closed its output", false);
                    self.ladder().await
                }
            },
            First::Stop => {
                self.link.close("it was stopped");
                let how = self.ladder().await;
                self.conclude("it was stopped", true).await;
                how
            }
        };
        let how = self.sweep(how).await;
        self.errors.abort();
        stopped.send_replace(Some(how));
    }

    /// Lets what was written before the exit be read, then ends the exchange.
    async fn conclude(&mut self, reason: &str, expected: bool) {
        let errors = &mut self.errors;
        let _ = timeout(DRAIN, async { tokio::join!(self.link.output_ended(), errors) }).await;
        self.link.end(reason, expected);
    }

    async fn ladder(&mut self) -> Stopped {
        self.link.close_input();
        if timeout(self.times.close, self.child.wait()).await.is_ok() {
            return Stopped::Closed;
        }
        if cfg!(unix) {
            self.group.signal(Signal::Terminate);
            if timeout(self.times.term, self.child.wait()).await.is_ok() {
                return Stopped::Terminated;
            }
        }
        let _ = self.child.start_kill();
        match timeout(self.times.kill, self.child.wait()).await {
            Ok(_) => Stopped::Killed,
            Err(_) => Stopped::LeftBehind,
        }
    }

    /// Ends what the leader left of its group.
    async fn sweep(&mut self, how: Stopped) -> Stopped {
        if self.group.is_alive() {
            self.group.signal(Signal::Terminate);
            if !self.vanished(self.times.term).await {
                self.group.signal(Signal::Kill);
                if !self.vanished(self.times.kill).await {
                    // It stays on the guard's list and is tried once more when the app ends.
                    return Stopped::LeftBehind;
                }
            }
        }
        if how != Stopped::LeftBehind {
            self.group.ended();
        }
        how
    }

    async fn vanished(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while self.group.is_alive() {
            if Instant::now() >= end {
                return false;
            }
            sleep(LOOK).await;
        }
        true
    }
}
