//! What is printed: tables and texts for people on standard output, or one JSON document. Everything that a server wrote
//! was made harmless by the host's views; raw names are made harmless here.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use gatehouse_host::HostError;
use serde::Serialize;
use serde_json::json;

use crate::exit::Exit;

/// The way of printing that was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    json: bool,
}

impl Output {
    /// JSON or text.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Prints a result: `document` where JSON was asked for, else the text.
    pub fn print(self, document: &impl Serialize, text: impl FnOnce() -> String) {
        let shown = if self.json { json(document) } else { text() };
        if !shown.is_empty() {
            write_all(std::io::stdout(), &shown);
        }
    }

    /// Prints an error and gives its exit code.
    pub fn fail(self, error: &HostError) -> Exit {
        let view = error.view();
        if self.json {
            let document = json!({ "error": view });
            write_all(
                std::io::stdout(),
                &serde_json::to_string_pretty(&document).expect("views serialise"),
            );
        }
        say(&format!("gatehouse: {}", view.message));
        Exit::of(error)
    }
}

/// One document, with every character escaped that a terminal could take for a command or that hides: the meaning is the same.
fn json(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document).expect("views serialise");
    if text.is_ascii() {
        return text.replace('\u{7f}', "\\u007f");
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\u{7f}'
            || (!c.is_ascii() && gatehouse_host::harmless::line(c.encode_utf8(&mut [0; 4]), 1) != c.to_string())
        {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// True once a result could not be written: then the command has not done what it was asked for.
pub fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

static LOST: AtomicBool = AtomicBool::new(false);

/// A line for the person beside the result: standard error.
pub fn say(text: &str) {
    write_all(std::io::stderr(), text);
}

/// Rows under a header, columns aligned.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = cells
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        padded.join("  ").trim_end().to_owned()
    };
    let head = line(&mut header.iter().copied());
    let rows = rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
    std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
}

/// A reader that went away (`| head`) is no error of ours; a disk that is full is.
fn write_all(mut to: impl Write, text: &str) {
    let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    let written = to
        .write_all(text.as_bytes())
        .and_then(|()| to.write_all(end))
        .and_then(|()| to.flush());
    if let Err(error) = written
        && error.kind() != std::io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        say(&format!("gatehouse: the result could not be written: {error}"));
    }
}
