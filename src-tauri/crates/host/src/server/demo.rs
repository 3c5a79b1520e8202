//! The demo server as a definition: what a new user can try without installing anything. The server itself is the
//! command's.

use std::path::Path;

use crate::view::ServerInput;

/// The name under which it is added.
pub const NAME: &str = "demo";

/// The definition that runs it with the `gatehouse` program at this path.
pub fn input(program: &Path) -> ServerInput {
    ServerInput {
        name: NAME.into(),
        command: program.to_string_lossy().into_owned(),
        args: vec!["demo-server".into()],
        env: Vec::new(),
        cwd: None,
    }
}
