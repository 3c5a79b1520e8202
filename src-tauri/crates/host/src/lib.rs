//! Everything Gatehouse decides: which folders there are, which servers, who may know what, and what is written down
//! before anything leaves.
//!
//! What is not here: windows, terminals, Tauri. The window and the `gatehouse` command are two faces of the same [`Host`].
//! Protocol text is `gatehouse_mcp`'s; this crate decides what goes into it.

pub mod bounds;
pub mod clock;
pub mod error;
pub mod first;
pub mod harmless;
mod icon;
pub mod link;
pub mod places;
pub mod uri;

pub mod root;
pub mod saving;
pub mod schema;
pub mod settings;
pub mod store;
pub mod template;
pub mod workspace;

pub mod server;

pub mod endpoint;

pub mod grant;
mod history;
pub mod question;

pub mod answer;
pub mod ledger;

pub mod call;
pub mod connection;
pub mod results;
pub mod traffic;

pub mod changes;
pub mod notice;
pub mod view;

mod core;
mod said;
mod undo;

pub mod host;

pub use error::{Code, HostError, Result};
pub use host::Host;
