//! The demo server: a small MCP server of revision 2026-07-28 for people who want to see the whole job without installing
//! anything. `gatehouse demo-server` runs it; Gatehouse starts it like any other server.
//!
//! It is stateless: what it must remember between two rounds it hands to the client as `requestState`. It asks for folders,
//! for a form, for both at once, in two rounds one after the other, and not at all. What is not here: the host, its
//! stores, or any knowledge of who is asking; it learns of a folder only what the client sends.

use std::io::{self, BufRead, Write};

use serde_json::Value;

mod catalogue;
mod folders;
mod forms;
mod prompts;
mod reply;
mod request;
mod resources;
mod state;
#[cfg(test)]
mod tests;
mod tools;

use reply::{Failure, Outcome};
use request::{Incoming, Request};

/// The one revision spoken here.
const VERSION: &str = "2026-07-28";

/// Answers requests from `stdin` on `stdout` until `stdin` ends.
pub fn run(mut stdin: impl BufRead, mut stdout: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if stdin.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if let Some(reply) = answer(&line) {
            stdout.write_all(reply.as_bytes())?;
            stdout.flush()?;
        }
    }
}

/// The reply to one line, with its line feed; none to a notification, a response or an empty line.
fn answer(line: &[u8]) -> Option<String> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    match request::read(line) {
        Incoming::Request(request) => {
            let outcome = request.checked().and_then(|()| route(&request));
            Some(reply::write(request.id, outcome))
        }
        Incoming::Broken(id, failure) => Some(reply::write(id.unwrap_or(Value::Null), Err(failure))),
        Incoming::NothingToAnswer => None,
    }
}

fn route(request: &Request) -> Result<Outcome, Failure> {
    match request.method.as_str() {
        "server/discover" => Ok(Outcome::Listing(catalogue::discover())),
        "tools/list" => Ok(Outcome::Listing(catalogue::tools())),
        "tools/call" => tools::call(request),
        "prompts/list" => Ok(Outcome::Listing(catalogue::prompts())),
        "prompts/get" => prompts::get(request),
        "resources/list" => Ok(Outcome::Listing(catalogue::resources())),
        "resources/read" => resources::read(request),
        method => Err(Failure::unknown_method(method)),
    }
}
