//! The reading side of a log: what a fake or a real server received, when, and what it did.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::journal::decode;

/// One line of a log.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Monotonic microseconds, comparable with [`crate::clock::now_us`].
    pub t: u64,
    /// The server process that wrote it.
    pub pid: u32,
    /// `in`, `out`, `err` or `event`.
    pub dir: String,
    /// The raw bytes, without the line feed; empty for an event.
    pub bytes: Vec<u8>,
    /// The event's words.
    pub event: Option<String>,
}

/// One line that crossed the wire and is JSON.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Monotonic microseconds.
    pub t: u64,
    /// The server process.
    pub pid: u32,
    /// As it stood on the wire.
    pub raw: String,
    /// The same, parsed. `Null` where it is not JSON.
    pub json: Value,
}

/// A place in the log: what came before is told from what came after.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// A log, read anew at each question.
#[derive(Clone, Debug)]
pub struct Log {
    path: PathBuf,
}

impl Frame {
    /// The method, or "" for a response.
    pub fn method(&self) -> &str {
        self.json["method"].as_str().unwrap_or_default()
    }

    /// The id; `Null` where there is none.
    pub fn id(&self) -> &Value {
        &self.json["id"]
    }

    /// The params; `Null` where there are none.
    pub fn params(&self) -> &Value {
        &self.json["params"]
    }

    /// Is this a response (to a request of the server)?
    pub fn is_response(&self) -> bool {
        self.json.get("method").is_none()
    }
}

impl Entry {
    /// The bytes as text, with what is not UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The bytes as a frame.
    pub fn frame(&self) -> Frame {
        let raw = self.text();
        Frame {
            t: self.t,
            pid: self.pid,
            json: serde_json::from_str(&raw).unwrap_or(Value::Null),
            raw,
        }
    }
}

impl Log {
    /// The log at a path, which need not be there yet.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Everything so far.
    pub fn entries(&self) -> Vec<Entry> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        // The last line may be half written.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(parse).collect()
    }

    /// What the server received, in order. A line that is not JSON is there too, with `json` null.
    pub fn received(&self) -> Vec<Frame> {
        frames(&self.entries(), "in")
    }

    /// What the server sent, in order.
    pub fn sent(&self) -> Vec<Frame> {
        frames(&self.entries(), "out")
    }

    /// The requests and notifications received of one method.
    pub fn received_method(&self, method: &str) -> Vec<Frame> {
        self.received()
            .into_iter()
            .filter(|frame| frame.method() == method)
            .collect()
    }

    /// The raw bytes of everything received, each line ended.
    pub fn received_bytes(&self) -> Vec<u8> {
        let entries = self.entries();
        let lines = entries.iter().filter(|entry| entry.dir == "in");
        lines
            .flat_map(|entry| entry.bytes.iter().copied().chain([b'\n']))
            .collect()
    }

    /// The events, in order.
    pub fn events(&self) -> Vec<String> {
        self.entries().into_iter().filter_map(|entry| entry.event).collect()
    }

    /// Did this happen?
    pub fn happened(&self, event: &str) -> bool {
        self.events().iter().any(|known| known == event)
    }

    /// The process ids that were started on this log, in order.
    pub fn pids(&self) -> Vec<u32> {
        let entries = self.entries();
        entries
            .iter()
            .filter(|entry| entry.event.as_deref() == Some("start"))
            .map(|entry| entry.pid)
            .collect()
    }

    /// Where the log ends now.
    pub fn mark(&self) -> Mark {
        Mark(self.entries().len())
    }

    /// What was written after a mark.
    pub fn since(&self, mark: Mark) -> Vec<Entry> {
        self.entries().into_iter().skip(mark.0).collect()
    }

    /// What the server received after a mark.
    pub fn received_since(&self, mark: Mark) -> Vec<Frame> {
        frames(&self.since(mark), "in")
    }

    /// Waits until the log satisfies `fits`; panics with the log where it doesn't within the limit. Blocks the thread.
    pub fn wait_until(&self, what: &str, limit: Duration, fits: impl Fn(&Self) -> bool) {
        let end = Instant::now() + limit;
        while !fits(self) {
            assert!(Instant::now() < end, "waited {limit:?} for: {what}\n{}", self.dump());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The same for async tests.
    pub async fn until(&self, what: &str, limit: Duration, fits: impl Fn(&Self) -> bool) {
        let end = Instant::now() + limit;
        while !fits(self) {
            assert!(Instant::now() < end, "waited {limit:?} for: {what}\n{}", self.dump());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Lets time pass and fails if the server receives anything in it. Blocks the thread.
    pub fn assert_silent(&self, mark: Mark, during: Duration, why: &str) {
        std::thread::sleep(during);
        let received = self.received_since(mark);
        assert!(received.is_empty(), "{why}\nreceived: {received:#?}");
    }

    /// The log as a person reads it, long lines cut.
    pub fn dump(&self) -> String {
        let entries = self.entries();
        let start = entries.first().map_or(0, |entry| entry.t);
        let line = |entry: &Entry| {
            let text: String = entry
                .event
                .clone()
                .unwrap_or_else(|| entry.text())
                .chars()
                .take(400)
                .collect();
            format!(
                "{:>10.1} ms  {}  {:<5} {text}\n",
                (entry.t - start.min(entry.t)) as f64 / 1000.0,
                entry.pid,
                entry.dir
            )
        };
        entries.iter().map(line).collect()
    }
}

fn frames(entries: &[Entry], dir: &str) -> Vec<Frame> {
    entries
        .iter()
        .filter(|entry| entry.dir == dir)
        .map(Entry::frame)
        .collect()
}

fn parse(line: &str) -> Entry {
    let value: Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("a log line is not JSON ({error}): {line}"));
    let bytes = match (&value["text"], &value["base64"]) {
        (Value::String(text), _) => text.clone().into_bytes(),
        (_, Value::String(text)) => decode(text).expect("the journal writes base64"),
        _ => Vec::new(),
    };
    Entry {
        t: value["t"].as_u64().unwrap_or(0),
        pid: value["pid"].as_u64().and_then(|pid| pid.try_into().ok()).unwrap_or(0),
        dir: value["dir"].as_str().unwrap_or_default().to_owned(),
        bytes,
        event: value["event"].as_str().map(str::to_owned),
    }
}
