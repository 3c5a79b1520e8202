//! The one place with unsafe code: what a child does between fork and exec. Everything else goes through safe wrappers.

use tokio::process::Command;

/// Asks the system to kill the child when the thread that starts it ends.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "there is no safe way to run code between fork and exec")]
pub(super) fn die_with_parent(command: &mut Command) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    // SAFETY: the closure runs in the forked child, where only async-signal-safe work is allowed. It makes two system
    // calls, allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have died before the line above; then nobody would ever send the signal.
            if getppid() == Some(parent) {
                Ok(())
            } else {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
        });
    }
}

/// Other systems have no such request; the guard does what can be done.
#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent(_: &mut Command) {}
