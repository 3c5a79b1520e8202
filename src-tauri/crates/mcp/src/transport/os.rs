//! The one place with unsafe code: what a child does between fork and exec. Everything else goes through safe wrappers.

use tokio::process::Command;

/// Asks the system to kill the child when the thread that starts it ends, and puts the child's group on the guard's list
/// before the child runs anything: between its start and an entry by us, the app could die.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "there is no safe way to run code between fork and exec")]
pub(super) fn die_with_parent(command: &mut Command) {
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let guard = super::guard::pipe();
    // SAFETY: the closure runs in the forked child, where only async-signal-safe work is allowed. It makes a few system
    // calls, allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(move || {
            if let Some(guard) = &guard {
                let mut line = [0; 16];
                let from = entry(getpid().as_raw_nonzero().get().unsigned_abs(), &mut line);
                // A guard that went away must not keep the server from starting.
                let _ = rustix::io::write(guard, &line[from..]);
            }
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

/// Writes `+ ID` and a line feed to the end of `line`; gives where it begins. No allocation: it runs after a fork.
#[cfg(target_os = "linux")]
fn entry(mut id: u32, line: &mut [u8; 16]) -> usize {
    let mut at = line.len() - 1;
    line[at] = b'\n';
    loop {
        at -= 1;
        line[at] = b'0' + u8::try_from(id % 10).unwrap_or(0);
        id /= 10;
        if id == 0 {
            break;
        }
    }
    at -= 2;
    line[at] = b'+';
    line[at + 1] = b' ';
    at
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn an_entry_is_a_line() {
        for id in [1, 42, u32::MAX] {
            let mut line = [0; 16];
            let from = super::entry(id, &mut line);
            assert_eq!(&line[from..], format!("+ {id}\n").as_bytes());
        }
    }
}

/// Other systems have no such request; the guard does what can be done.
#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent(_: &mut Command) {}
