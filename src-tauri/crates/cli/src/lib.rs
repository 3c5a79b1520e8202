//! The `gatehouse` command as a library: what the binary runs and what tests reach without starting a process.
//!
//! What is not here: decisions. Everything Gatehouse decides lives in the host crate; this one reads arguments, asks at
//! the terminal or answers by flags, and prints.

pub mod args;
pub mod demo;
pub mod demo_server;
pub mod exit;
pub mod run;

mod calls;
mod filling;
mod folders;
mod history;
mod nobody;
mod output;
mod person;
mod records;
mod sampling;
mod servers;
mod settings;
mod terminal;
mod watching;
