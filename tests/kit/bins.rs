//! Finds the binaries that suites start: beside the running test, in the same target folder.
//!
//! The kit's own servers are built by `cargo test -p gatehouse-tests`; `gatehouse` needs `cargo build -p gatehouse-cli` before.

use std::path::{Path, PathBuf};

/// The path of a binary of this build, by name. Panics with what to build where it is missing.
pub fn bin(name: &str) -> PathBuf {
    let path = target_dir().join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let package = if name == "gatehouse" {
        "gatehouse-cli"
    } else {
        "gatehouse-tests"
    };
    assert!(
        path.is_file(),
        "{} is missing: run `cargo build -p {package} --bin {name}` first",
        path.display()
    );
    path
}

/// The `gatehouse` command. `GATEHOUSE_BIN` names another one (an installed package, say).
pub fn gatehouse() -> PathBuf {
    std::env::var_os("GATEHOUSE_BIN").map_or_else(|| bin("gatehouse"), PathBuf::from)
}

/// The root folder of the workspace.
pub fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ stands in the workspace root")
}

fn target_dir() -> PathBuf {
    let exe = std::env::current_exe().expect("a running test has a path");
    let dir = exe.parent().expect("a file has a folder");
    // Test binaries stand in `deps`, benches and plain binaries beside the servers.
    if dir.ends_with("deps") {
        dir.parent().expect("deps stands in the target folder").to_owned()
    } else {
        dir.to_owned()
    }
}
