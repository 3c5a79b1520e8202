//! Servers started as a process, spoken to over stdin and stdout. Which words are spoken is not decided here.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use memchr::memchr;
use process_wrap::tokio::CommandWrap;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;

use super::keeper::Keeper;
use super::lines::{LineReader, LineWriter};
use super::process::{Process, StopTimes};
use super::{os, spawn};
use crate::bounds::STDERR_LINE;
use crate::client::Link;
use crate::error::ConnectError;
use crate::tap::Tap;

/// What to start.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Its working directory.
    pub cwd: PathBuf,
}

/// Starts a process; `exchange` puts a link on its two ends.
pub(crate) async fn open(
    launch: &Launch,
    times: StopTimes,
    tap: &Arc<dyn Tap>,
    exchange: impl FnOnce(LineReader<tokio::process::ChildStdout>, LineWriter<tokio::process::ChildStdin>) -> Arc<Link>,
) -> Result<(Arc<Link>, Process), ConnectError> {
    directory(&launch.cwd).await?;
    let mut started = spawn::start(command(launch))
        .await
        .map_err(|error| not_started(launch, &error))?;
    let pid = started.group.id();
    let (Some(stdin), Some(stdout), Some(stderr)) = (
        started.child.stdin().take(),
        started.child.stdout().take(),
        started.child.stderr().take(),
    ) else {
        return Err(ConnectError::Spawn {
            reason: "it has no pipes".into(),
            not_found: false,
        });
    };
    tap.started(pid);
    let errors = tokio::spawn(errors(stderr, Arc::clone(tap)));
    let link = exchange(LineReader::new(stdout), LineWriter::new(stdin));
    let (stop, stop_wanted) = watch::channel(false);
    let (ended, stopped) = watch::channel(None);
    let keeper = Keeper::new(started, Arc::clone(&link), errors, times);
    tokio::spawn(keeper.keep(stop_wanted, ended));
    Ok((link, Process::new(pid, stop, stopped)))
}

fn command(launch: &Launch) -> CommandWrap {
    let mut command = CommandWrap::with_new(&launch.program, |command| {
        command
            .args(&launch.args)
            .env_clear()
            .envs(launch.env.iter().map(|(key, value)| (key, value)))
            .current_dir(&launch.cwd)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        os::die_with_parent(command);
    });
    #[cfg(unix)]
    command.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::tokio::JobObject);
    command
}

/// Without this, a missing directory looks like a missing program.
async fn directory(cwd: &Path) -> Result<(), ConnectError> {
    let reason = match tokio::fs::metadata(cwd).await {
        Ok(metadata) if metadata.is_dir() => return Ok(()),
        Ok(_) => format!("the working directory {} is not a directory", cwd.display()),
        Err(error) => format!("the working directory {}: {error}", cwd.display()),
    };
    Err(ConnectError::Spawn {
        reason,
        not_found: false,
    })
}

fn not_started(launch: &Launch, error: &io::Error) -> ConnectError {
    let missing = error.kind() == io::ErrorKind::NotFound;
    if missing && launch.program.is_absolute() && launch.program.exists() {
        let reason = format!("{} names an interpreter that is not there", launch.program.display());
        return ConnectError::Spawn {
            reason,
            not_found: false,
        };
    }
    ConnectError::Spawn {
        reason: format!("{}: {error}", launch.program.display()),
        not_found: missing,
    }
}

/// Hands stderr to the tap, line by line, until it ends.
async fn errors(mut source: impl AsyncRead + Unpin, tap: Arc<dyn Tap>) {
    let mut buffer = BytesMut::with_capacity(STDERR_LINE);
    loop {
        let ended = !matches!(source.read_buf(&mut buffer).await, Ok(read) if read > 0);
        loop {
            let piece = match memchr(b'\n', &buffer) {
                Some(end) if end <= STDERR_LINE => buffer.split_to(end + 1),
                _ if buffer.len() >= STDERR_LINE => buffer.split_to(STDERR_LINE),
                _ if ended && !buffer.is_empty() => buffer.split(),
                _ => break,
            };
            let line = piece.strip_suffix(b"\n").unwrap_or(&piece);
            tap.stderr(&Bytes::copy_from_slice(line.strip_suffix(b"\r").unwrap_or(line)));
        }
        if ended {
            return;
        }
        buffer.reserve(STDERR_LINE);
    }
}
