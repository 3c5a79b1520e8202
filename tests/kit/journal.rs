//! The writing side of a log: one JSON object a line, appended and flushed at once, so that a killed server leaves a whole log.
//!
//! Fields: `t` (monotonic microseconds), `pid`, `dir` (`in`: from the client, `out`: to the client, `err`: stderr, `event`),
//! `text` (bytes that are UTF-8) or `base64`, `len` (whole length in bytes, where `text` was cut), `event`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use serde_json::{Map, Value};

use crate::clock;

/// How much of one line *sent* is kept; floods are told by their length. Lines received are kept whole.
const SENT_KEPT: usize = 256 * 1024;

/// Which way bytes went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dir {
    /// From the client to the server.
    In,
    /// From the server to the client.
    Out,
    /// What the server wrote to stderr.
    Err,
    /// Nothing on the wire: something happened.
    Event,
}

impl Dir {
    /// The word in the log.
    pub fn word(self) -> &'static str {
        match self {
            Dir::In => "in",
            Dir::Out => "out",
            Dir::Err => "err",
            Dir::Event => "event",
        }
    }
}

/// An open log. Writers of one process take turns; processes that share a file append whole lines.
#[derive(Debug)]
pub struct Journal {
    file: Mutex<File>,
    pid: u32,
}

impl Journal {
    /// Opens or makes the log at `path`.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self {
            file: Mutex::new(file),
            pid: std::process::id(),
        })
    }

    /// Writes down bytes that crossed. `bytes` is one line without its line feed, or a piece without one.
    pub fn bytes(&self, dir: Dir, bytes: &[u8]) {
        let kept = if dir == Dir::Out {
            &bytes[..bytes.len().min(SENT_KEPT)]
        } else {
            bytes
        };
        let mut entry = self.entry(dir);
        match std::str::from_utf8(kept) {
            Ok(text) => entry.insert("text".into(), text.into()),
            Err(_) => entry.insert("base64".into(), encode(kept).into()),
        };
        if kept.len() < bytes.len() {
            entry.insert("len".into(), bytes.len().into());
        }
        self.write(entry);
    }

    /// Writes down that something happened.
    pub fn event(&self, what: &str) {
        let mut entry = self.entry(Dir::Event);
        entry.insert("event".into(), what.into());
        self.write(entry);
    }

    fn entry(&self, dir: Dir) -> Map<String, Value> {
        let mut entry = Map::new();
        entry.insert("t".into(), clock::now_us().into());
        entry.insert("pid".into(), self.pid.into());
        entry.insert("dir".into(), dir.word().into());
        entry
    }

    fn write(&self, entry: Map<String, Value>) {
        let mut line = Value::Object(entry).to_string().into_bytes();
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A log that can't be written fails the test that reads it; the server plays on.
        let _ = file.write_all(&line);
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64 with padding.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let six = (word >> (18 - 6 * place) & 63) as usize;
            text.push(if place <= chunk.len() {
                char::from(ALPHABET[six])
            } else {
                '='
            });
        }
    }
    text
}

/// Base64 as bytes; `None` where a character is not of the alphabet.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0u32, 0);
    for byte in text.bytes().filter(|&byte| byte != b'=') {
        let six = ALPHABET.iter().position(|&known| known == byte)?;
        word = word << 6 | u32::try_from(six).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits & 255) as u8);
        }
    }
    Some(bytes)
}
