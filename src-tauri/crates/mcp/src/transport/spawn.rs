//! Starting processes, all from one thread that lives as long as the app: on Linux a child is killed when the *thread* that
//! started it ends. What becomes of a started process is the keeper's business.

use std::io;
use std::sync::{Mutex, PoisonError, mpsc};

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::guard;

/// A started process.
pub(super) struct Started {
    /// The leader.
    pub child: Box<dyn ChildWrapper>,
    /// Its group.
    pub group: Group,
}

/// A process group of ours. Dropped before its end was seen, it is killed.
pub(super) struct Group {
    id: u32,
    ended: bool,
}

/// A signal, as the stop ladder knows them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Signal {
    /// Please end.
    Terminate,
    /// End.
    Kill,
}

struct Job {
    command: CommandWrap,
    runtime: Handle,
    done: oneshot::Sender<io::Result<Started>>,
}

static STARTER: Mutex<Option<mpsc::Sender<Job>>> = Mutex::new(None);

/// Starts a process as the leader of a group of its own.
pub(super) async fn start(command: CommandWrap) -> io::Result<Started> {
    let (done, started) = oneshot::channel();
    let job = Job {
        command,
        runtime: Handle::current(),
        done,
    };
    starter()?
        .send(job)
        .map_err(|_| io::Error::other("the starting thread is gone"))?;
    started
        .await
        .map_err(|_| io::Error::other("the starting thread is gone"))?
}

fn starter() -> io::Result<mpsc::Sender<Job>> {
    let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(jobs) = &*starter {
        return Ok(jobs.clone());
    }
    let (jobs, queue) = mpsc::channel::<Job>();
    std::thread::Builder::new()
        .name("gatehouse-starter".into())
        .spawn(move || {
            while let Ok(mut job) = queue.recv() {
                let _inside = job.runtime.enter();
                let started = job.command.spawn().and_then(|child| {
                    let id = child.id().ok_or_else(|| io::Error::other("the process has no id"))?;
                    guard::add(id);
                    Ok(Started {
                        child,
                        group: Group { id, ended: false },
                    })
                });
                if started.is_err() {
                    guard::prune();
                }
                // Nobody waits any more: the group is dropped here, and killed.
                drop(job.done.send(started));
            }
        })?;
    *starter = Some(jobs.clone());
    Ok(jobs)
}

impl Group {
    /// The leader's process id, which is the group's.
    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// Notes that nothing is left of it.
    pub(super) fn ended(&mut self) {
        self.ended = true;
        guard::remove(self.id);
    }

    /// Sends a signal to all its members.
    #[cfg(unix)]
    pub(super) fn signal(&self, signal: Signal) {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        if let Some(id) = self.pid() {
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }

    /// True while it has members that are not zombies.
    #[cfg(unix)]
    pub(super) fn is_alive(&self) -> bool {
        let Some(id) = self.pid() else { return false };
        match rustix::process::test_kill_process_group(id) {
            Err(rustix::io::Errno::SRCH) => false,
            // On some systems a group of zombies can't be signalled.
            Err(_) => cfg!(target_os = "linux") && living(self.id),
            Ok(()) => living(self.id),
        }
    }

    #[cfg(unix)]
    fn pid(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(i32::try_from(self.id).ok()?)
    }

    /// A job object ends whole; see the keeper.
    #[cfg(not(unix))]
    pub(super) fn signal(&self, _: Signal) {}

    /// A job object ends whole; see the keeper.
    #[cfg(not(unix))]
    pub(super) fn is_alive(&self) -> bool {
        false
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.ended {
            self.signal(Signal::Kill);
            guard::remove(self.id);
        }
    }
}

/// Whether a group that exists holds more than zombies, which stay where nothing reaps orphans (a container, say).
#[cfg(target_os = "linux")]
#[allow(
    clippy::disallowed_methods,
    reason = "what is read is the system's table of processes, not a file"
)]
fn living(group: u32) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return true;
    };
    processes.flatten().any(|entry| {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            return false;
        };
        // pid (name) state ppid pgrp …; the name may hold anything, so the last bracket counts.
        let Some((_, rest)) = stat.rsplit_once(") ") else {
            return false;
        };
        let mut fields = rest.split(' ');
        let state = fields.next();
        fields.nth(1) == Some(&group.to_string()) && !matches!(state, Some("Z" | "X"))
    })
}

#[cfg(all(unix, not(target_os = "linux")))]
fn living(_: u32) -> bool {
    true
}
