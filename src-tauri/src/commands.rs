//! The commands, one file a feature: a typed argument in, one method of the host, a typed result or error out.

pub mod calls;
pub mod folders;
pub mod history;
pub mod models;
pub mod outside;
pub mod questions;
pub mod results;
pub mod servers;
pub mod settings;
pub mod shelves;
pub mod traffic;
pub mod watch;

use gatehouse_host::{HostError, view::ErrorView};

/// What every command gives back.
type Answer<T> = Result<T, ErrorView>;

fn failed(error: HostError) -> ErrorView {
    error.view()
}
