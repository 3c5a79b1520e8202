//! What a server is: its definition, the fingerprint that grants and trust hang on, the file it is configured in, and
//! how its process is to be started. Not the running process: that is `connection`.

pub mod definition;
pub mod demo;
pub mod entry;
pub mod file;
pub mod launch;
pub mod loaded;
pub mod secrets;
pub mod watch;

pub use definition::{Definition, Fingerprint};
pub use file::{Configured, ServersFile};
pub use loaded::Loaded;
