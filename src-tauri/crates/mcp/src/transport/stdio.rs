//! Servers started as a process, spoken to over stdin and stdout.

use std::ffi::OsString;
use std::path::PathBuf;

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
