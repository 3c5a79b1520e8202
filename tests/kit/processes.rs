//! Processes by a mark in their environment, which children inherit: every process that a server became is found, whatever
//! it calls itself and whoever its parent is now. Linux only, since the environment of another process is read.

use std::time::{Duration, Instant};

use crate::real::Launch;

const KEY: &str = "GATEHOUSE_TEST_MARK";

/// A mark that no other test uses.
#[derive(Debug, Clone)]
pub struct Marked(String);

impl Marked {
    /// A new mark.
    pub fn new() -> Self {
        Self(format!("{}-{}", std::process::id(), crate::clock::now_us()))
    }

    /// A server that carries it.
    pub fn on(&self, launch: Launch) -> Launch {
        launch.env(KEY, &self.0)
    }

    /// The processes that carry it now. A zombie has no environment and does not count.
    pub fn living(&self) -> Vec<u32> {
        let wanted = format!("{KEY}={}", self.0).into_bytes();
        let carries = |pid: &u32| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == wanted)
        };
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()));
        pids.filter(carries).collect()
    }

    /// Waits until none is left; panics with those that are.
    pub fn wait_gone(&self, limit: Duration) {
        let end = Instant::now() + limit;
        loop {
            let left = self.living();
            if left.is_empty() {
                return;
            }
            let words = |pid: &u32| {
                let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                format!("{pid}: {}", line.replace('\0', " "))
            };
            let named: Vec<String> = left.iter().map(words).collect();
            assert!(
                Instant::now() < end,
                "after {limit:?} these processes of the server still live: {named:#?}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Default for Marked {
    fn default() -> Self {
        Self::new()
    }
}
