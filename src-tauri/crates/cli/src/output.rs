//! What is printed: tables and texts for people on standard output, or one JSON document. Everything that a server wrote
//! was made harmless by the host's views; raw names are made harmless here.

use std::io::Write;

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
        let shown = if self.json {
            serde_json::to_string_pretty(document).expect("views serialise")
        } else {
            text()
        };
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

/// A reader that went away (`| head`) is no error of ours.
fn write_all(mut to: impl Write, text: &str) {
    let _ = to.write_all(text.as_bytes()).and_then(|()| {
        if text.ends_with('\n') {
            Ok(())
        } else {
            to.write_all(b"\n")
        }
    });
    let _ = to.flush();
}
