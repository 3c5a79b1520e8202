//! `tee-server LOG -- COMMAND [ARG]…`: starts a real server, passes everything through, and logs it in the kit's log format.
//!
//! It changes nothing: bytes go on as they come, the end of stdin closes the server's stdin, SIGTERM is handed on, and the
//! server's exit code is ours.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use gatehouse_tests::journal::{Dir, Journal};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("tee-server: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> io::Result<ExitCode> {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let [log, dashes, command, rest @ ..] = args.as_slice() else {
        return Err(io::Error::other("usage: tee-server LOG -- COMMAND [ARG]…"));
    };
    if dashes != "--" {
        return Err(io::Error::other("usage: tee-server LOG -- COMMAND [ARG]…"));
    }
    let journal = Arc::new(Journal::open(Path::new(log))?);
    journal.event("start");
    let mut child = Command::new(command)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    journal.event(&format!("child {}", child.id()));
    hand_on_signals(&journal, &child)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(io::Error::other("the server has no pipes"));
    };
    let to_server = Arc::clone(&journal);
    std::thread::spawn(move || {
        pump(&to_server, Dir::In, io::stdin(), stdin);
        to_server.event("stdin closed");
    });
    let from_server = Arc::clone(&journal);
    let out = std::thread::spawn(move || pump(&from_server, Dir::Out, stdout, io::stdout()));
    let complaints = Arc::clone(&journal);
    let err = std::thread::spawn(move || pump(&complaints, Dir::Err, stderr, io::stderr()));
    let status = child.wait()?;
    let _ = (out.join(), err.join());
    let code = status.code().unwrap_or(255);
    journal.event(&format!("exit {code}"));
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(255)))
}

/// Copies until the end; logs each whole line before it goes on, so that the log is never behind the wire.
fn pump(journal: &Journal, dir: Dir, mut from: impl Read, mut to: impl Write) {
    let mut line = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    while let Ok(read) = from.read(&mut chunk) {
        if read == 0 {
            break;
        }
        for piece in chunk[..read].split_inclusive(|&byte| byte == b'\n') {
            line.extend_from_slice(piece);
            if line.last() == Some(&b'\n') {
                line.pop();
                journal.bytes(dir, &line);
                line.clear();
            }
        }
        if to.write_all(&chunk[..read]).and_then(|()| to.flush()).is_err() {
            journal.event(&format!("{} broken", dir.word()));
            break;
        }
    }
    if !line.is_empty() {
        journal.bytes(dir, &line);
    }
}

#[cfg(unix)]
fn hand_on_signals(journal: &Arc<Journal>, child: &std::process::Child) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    use signal_hook::consts::SIGTERM;
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM])?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let journal = Arc::clone(journal);
    std::thread::spawn(move || {
        for _ in signals.forever() {
            journal.event("signal TERM");
            if let Some(pid) = pid {
                // Signalled as a group, the server has it already and may be gone.
                let _ = kill_process(pid, Signal::TERM);
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn hand_on_signals(_: &Arc<Journal>, _: &std::process::Child) -> io::Result<()> {
    Ok(())
}
