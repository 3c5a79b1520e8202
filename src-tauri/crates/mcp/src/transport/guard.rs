//! What ends the servers' process groups when the app dies without a word (`kill -9`): one `sh` that waits for the end of
//! its stdin. Not part of an ordinary stop, where every group ends before its entry goes.

#[cfg(not(unix))]
pub(super) fn add(_: u32) {}

#[cfg(not(unix))]
pub(super) fn remove(_: u32) {}

#[cfg(not(unix))]
pub(super) fn prune() {}

#[cfg(unix)]
pub(super) use unix::{add, pipe, prune, remove};

#[cfg(unix)]
mod unix {
    use std::collections::BTreeSet;
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::{ChildStdin, Command, Stdio};
    use std::sync::{Mutex, PoisonError};

    /// Keeps the list of groups; kills what is on it when stdin ends. Uses nothing but the shell itself.
    const SCRIPT: &str = r#"
trap '' INT TERM HUP
groups=
while read -r sign group; do
    case $sign in
    +) groups="$groups $group" ;;
    -)
        left=
        for other in $groups; do
            [ "$other" = "$group" ] || left="$left $other"
        done
        groups=$left
        ;;
    !)
        left=
        for other in $groups; do
            kill -s 0 -- "-$other" 2>/dev/null && left="$left $other"
        done
        groups=$left
        ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group" 2>/dev/null
done
"#;

    static GUARD: Mutex<Guard> = Mutex::new(Guard {
        groups: BTreeSet::new(),
        pipe: None,
    });

    struct Guard {
        groups: BTreeSet<u32>,
        pipe: Option<ChildStdin>,
    }

    /// Puts a group on the list. Starts the guard where there is none.
    pub(in super::super) fn add(group: u32) {
        let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
        guard.groups.insert(group);
        guard.tell('+', group);
    }

    /// Takes a group off the list.
    pub(in super::super) fn remove(group: u32) {
        let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
        if guard.groups.remove(&group) {
            guard.tell('-', group);
        }
    }

    /// A handle of the guard's list for a child that enters itself; starts the guard where there is none.
    pub(in super::super) fn pipe() -> Option<std::os::fd::OwnedFd> {
        let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
        if guard.pipe.is_none() {
            guard.pipe = guard.start().ok();
        }
        rustix::io::fcntl_dupfd_cloexec(guard.pipe.as_ref()?, 3).ok()
    }

    /// Lets the guard forget groups that are gone: a child that could not be started has entered itself.
    pub(in super::super) fn prune() {
        let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = &mut guard.pipe {
            // A guard that went away has no list.
            let _ = pipe.write_all(b"!\n");
        }
    }

    impl Guard {
        fn tell(&mut self, sign: char, group: u32) {
            if let Some(pipe) = &mut self.pipe
                && pipe.write_all(format!("{sign} {group}\n").as_bytes()).is_ok()
            {
                return;
            }
            // There is no guard yet, or somebody ended it: a new one gets the whole list.
            self.pipe = None;
            if self.groups.is_empty() {
                return;
            }
            match self.start() {
                Ok(pipe) => self.pipe = Some(pipe),
                Err(error) => tracing::warn!(%error, "no guard for the servers' processes"),
            }
        }

        fn start(&self) -> std::io::Result<ChildStdin> {
            let mut child = Command::new("/bin/sh")
                .args(["-c", SCRIPT, "gatehouse-guard"])
                .env_clear()
                .current_dir("/")
                .process_group(0)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()?;
            let mut pipe = child.stdin.take().expect("stdin is piped");
            for group in &self.groups {
                pipe.write_all(format!("+ {group}\n").as_bytes())?;
            }
            Ok(pipe)
        }
    }
}
