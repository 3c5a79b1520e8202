//! How a process ended, in words. No policy.

use std::process::ExitStatus;

/// `exit code 3`, `signal 9`, or what the system said instead.
pub(super) fn words(status: &std::io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => of(*status),
        Err(error) => format!("its end could not be watched: {error}"),
    }
}

fn of(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("signal {signal}");
        }
    }
    status
        .code()
        .map_or_else(|| "it ended without a code".into(), |code| format!("exit code {code}"))
}
