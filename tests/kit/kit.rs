//! The test kit: scripted servers, real servers, raw logs of what crossed the wire, and the official schemas as an oracle.
//!
//! A suite starts a server with [`fake::FakeServer`] or [`real`], drives the host as the window does, and asserts on the
//! [`log::Log`], never on the inside of the host. What is not here: a mock of the host or of the person.
//!
//! Build order: `cargo test -p gatehouse-tests` builds the kit's servers with the suites. The `gatehouse` binary belongs to
//! another package: build it first (`cargo build -p gatehouse-cli`) for the suites that start it.

pub mod bins;
pub mod clock;
pub mod command;
pub mod endpoint;
pub mod fake;
pub mod home;
pub mod journal;
pub mod log;
pub mod player;
#[cfg(target_os = "linux")]
pub mod processes;
pub mod real;
pub mod schema;
pub mod script;
pub mod template;
