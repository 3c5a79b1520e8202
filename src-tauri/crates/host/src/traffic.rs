//! Every frame and stderr line of one server as it stood, in rings bounded by bytes, pulled by sequence number.
//! Decodes nothing and writes nothing to the disk.

mod look;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use gatehouse_mcp::model::notice::LogMessage;
use gatehouse_mcp::tap::{Direction, Tap};

use crate::bounds;
use crate::changes::{Changes, Part};
use crate::clock;
use crate::harmless;
use crate::server::secrets::Secrets;

/// The rings of one server; they outlive its connections.
#[derive(Debug)]
pub struct Traffic {
    frames: Mutex<Ring<Frame>>,
    stderr: Mutex<Ring<Bytes>>,
    secrets: Mutex<Secrets>,
    starts: AtomicU64,
    changes: Arc<Changes>,
}

/// A kept frame.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Its number; grows by one a frame, never used twice.
    pub seq: u64,
    /// When it passed, in milliseconds since 1970.
    pub at: u64,
    /// Which way it went.
    pub direction: Direction,
    /// The frame; its first bytes where it was too long to be read, or to be kept among others.
    pub bytes: Bytes,
    /// Its whole length in bytes.
    pub length: u64,
}

impl Frame {
    /// True when it went to the server.
    pub fn is_sent(&self) -> bool {
        self.direction == Direction::Sent
    }
}

#[derive(Debug)]
struct Ring<T> {
    items: VecDeque<T>,
    bytes: usize,
    most: usize,
    next: u64,
    dropped: u64,
}

impl Traffic {
    /// Empty rings, with the usual bounds.
    pub fn new(changes: Arc<Changes>) -> Self {
        Self {
            frames: Mutex::new(Ring::new(bytes_of(bounds::TRAFFIC))),
            stderr: Mutex::new(Ring::new(bounds::STDERR)),
            secrets: Mutex::default(),
            starts: AtomicU64::new(0),
            changes,
        }
    }

    /// Keeps these values out of the stderr lines and log messages from now on.
    pub fn hide(&self, env: &[(String, String)]) {
        lock(&self.secrets).add(env);
    }

    /// Keeps so many MiB of frames from now on; the oldest give way.
    pub fn bound(&self, mebibytes: u32) {
        let mut ring = lock(&self.frames);
        ring.most = bytes_of(mebibytes);
        ring.shrink();
    }

    /// Kept frames after a number, oldest first, at most `limit`, and how many were dropped in all.
    pub fn frames_after(&self, seq: u64, limit: usize) -> (Vec<Frame>, u64) {
        let ring = lock(&self.frames);
        (
            ring.items
                .iter()
                .filter(|frame| frame.seq > seq)
                .take(limit)
                .cloned()
                .collect(),
            ring.dropped,
        )
    }

    /// The last stderr lines, oldest first, made harmless.
    pub fn last_stderr(&self, lines: usize) -> Vec<String> {
        let ring = lock(&self.stderr);
        let skip = ring.items.len().saturating_sub(lines);
        let shown = |line: &Bytes| harmless::line(&String::from_utf8_lossy(line).replace('\t', "    "), 2_000);
        ring.items.iter().skip(skip).map(shown).collect()
    }

    /// Keeps a log message of the server's among its stderr lines, in the order in which they came.
    pub fn log(&self, message: &LogMessage) {
        let said: Option<String> = serde_json::from_str(message.data.get()).ok();
        let said = said.unwrap_or_else(|| message.data.get().to_owned());
        let logger = message
            .logger
            .as_deref()
            .map(|logger| format!(" {logger}:"))
            .unwrap_or_default();
        for line in said.lines() {
            self.stderr(&Bytes::from(format!("[{}]{logger} {line}", message.level.word())));
        }
    }

    /// How many processes were started.
    pub fn starts(&self) -> u64 {
        self.starts.load(Ordering::Relaxed)
    }

    fn keep(&self, direction: Direction, bytes: &Bytes, length: u64) {
        let at = clock::now();
        let mut ring = lock(&self.frames);
        let seq = ring.next;
        // A frame that would push out all the others is cut; the copy lets go of the rest of it.
        let most = ring.most / bounds::FRAME_PART;
        let bytes = match bytes.get(..most) {
            Some(head) if bytes.len() > most => Bytes::copy_from_slice(head),
            _ => bytes.clone(),
        };
        ring.push(Frame {
            seq,
            at,
            direction,
            bytes,
            length,
        });
        drop(ring);
        self.changes.ring(Part::Traffic);
    }
}

impl Tap for Traffic {
    fn frame(&self, direction: Direction, bytes: &Bytes) {
        self.keep(direction, bytes, bytes.len() as u64);
    }

    fn overlong(&self, head: &Bytes, length: u64) {
        self.keep(Direction::Received, head, length);
    }

    fn stderr(&self, line: &Bytes) {
        let kept = match lock(&self.secrets).hide(&String::from_utf8_lossy(line)) {
            Cow::Owned(hidden) => Bytes::from(hidden),
            Cow::Borrowed(_) => line.clone(),
        };
        lock(&self.stderr).push(kept);
        self.changes.ring(Part::Servers);
    }

    /// A second process may write what the first one wrote: a line between them says whose is whose.
    fn started(&self, pid: u32) {
        if self.starts.fetch_add(1, Ordering::Relaxed) > 0 {
            self.stderr(&Bytes::from(format!("--- started again, as process {pid} ---")));
        }
    }
}

trait Weight {
    fn weight(&self) -> usize;
}

impl Weight for Frame {
    fn weight(&self) -> usize {
        self.bytes.len() + size_of::<Self>()
    }
}

impl Weight for Bytes {
    fn weight(&self) -> usize {
        self.len() + size_of::<Self>()
    }
}

impl<T: Weight> Ring<T> {
    fn new(most: usize) -> Self {
        Self {
            items: VecDeque::new(),
            bytes: 0,
            most,
            next: 1,
            dropped: 0,
        }
    }

    fn push(&mut self, item: T) {
        self.next += 1;
        self.bytes += item.weight();
        self.items.push_back(item);
        self.shrink();
    }

    fn shrink(&mut self) {
        while self.bytes > self.most {
            let Some(oldest) = self.items.pop_front() else { break };
            self.bytes -= oldest.weight();
            self.dropped += 1;
        }
    }
}

fn bytes_of(mebibytes: u32) -> usize {
    usize::try_from(u64::from(mebibytes) * 1024 * 1024).unwrap_or(usize::MAX)
}

fn lock<T>(ring: &Mutex<T>) -> MutexGuard<'_, T> {
    ring.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_two_starts_are_told_apart() {
        let traffic = Traffic::new(Arc::default());
        for pid in [7, 8] {
            traffic.started(pid);
            traffic.stderr(&Bytes::from_static(b"no key"));
        }
        assert_eq!(
            traffic.last_stderr(9),
            ["no key", "--- started again, as process 8 ---", "no key"]
        );
    }

    #[test]
    fn the_ring_stays_within_its_bytes_and_counts_what_it_drops() {
        let traffic = Traffic::new(Arc::default());
        let frame = Bytes::from(vec![b'x'; 1024 * 1024]);
        for _ in 0..40 {
            traffic.frame(Direction::Received, &frame);
        }
        let (kept, dropped) = traffic.frames_after(0, usize::MAX);
        assert!(kept.len() <= 16, "{} MiB are kept of 16 allowed", kept.len());
        assert_eq!(kept.len() as u64 + dropped, 40, "each frame is kept or counted");
        assert_eq!(kept.last().map(|frame| frame.seq), Some(40), "the newest stays");
        traffic.bound(4);
        let (kept, dropped) = traffic.frames_after(0, usize::MAX);
        assert!(kept.len() < 4, "a smaller bound counts at once: {}", kept.len());
        assert_eq!(kept.len() as u64 + dropped, 40, "each frame is kept or counted");
    }
}
