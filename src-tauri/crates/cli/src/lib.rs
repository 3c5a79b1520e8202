//! The `gatehouse` command as a library: what the binary runs and what tests reach without starting a process.
//!
//! What is not here: decisions. Everything Gatehouse decides lives in the host crate.

pub mod demo_server;
