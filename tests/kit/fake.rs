//! A fake server ready to be configured: a script and a log in a folder of their own, and the command that plays them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::bins::bin;
use crate::log::Log;
use crate::real::Launch;
use crate::script::Script;

/// One fake server. Its folder goes when this value goes.
#[derive(Debug)]
pub struct FakeServer {
    dir: tempfile::TempDir,
}

impl FakeServer {
    /// Writes the script down.
    pub fn new(script: &Script) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("fake-")
            .tempdir()
            .expect("the temporary folder is writable");
        let server = Self { dir };
        server.rewrite(script);
        server
    }

    /// Puts another script in place: what the next process of this server plays.
    pub fn rewrite(&self, script: &Script) {
        let text = serde_json::to_string(script).expect("a script is JSON");
        std::fs::write(self.script_path(), text).expect("the script's folder is writable");
    }

    /// How to start it.
    pub fn launch(&self) -> Launch {
        Launch::new(bin("fake-server")).args([self.script_path().display(), self.log_path().display()])
    }

    /// The command, for a server definition.
    pub fn command(&self) -> String {
        self.launch().command
    }

    /// Its arguments.
    pub fn args(&self) -> Vec<String> {
        self.launch().args
    }

    /// The folder that holds script and log.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// What it received and did.
    pub fn log(&self) -> Log {
        Log::at(&self.log_path())
    }

    /// Waits until it received so many frames of this method.
    pub fn wait_for(&self, method: &str, count: usize, limit: Duration) {
        let enough = |log: &Log| log.received_method(method).len() >= count;
        self.log().wait_until(&format!("{count} × {method}"), limit, enough);
    }

    fn script_path(&self) -> PathBuf {
        self.dir.path().join("script.json")
    }

    fn log_path(&self) -> PathBuf {
        self.dir.path().join("log.jsonl")
    }
}

/// Is this process alive? A zombie counts as gone.
#[cfg(target_os = "linux")]
pub fn alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Waits until every process of the list is gone; panics with those that are left.
#[cfg(target_os = "linux")]
pub fn wait_gone(pids: &[u32], limit: Duration) {
    let end = std::time::Instant::now() + limit;
    loop {
        let left: Vec<u32> = pids.iter().copied().filter(|&pid| alive(pid)).collect();
        if left.is_empty() {
            return;
        }
        assert!(
            std::time::Instant::now() < end,
            "after {limit:?} these processes still live: {left:?}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
