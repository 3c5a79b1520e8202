//! Real servers that nobody here wrote: how to start each, and a tee that logs the raw frames between them and us.
//!
//! They are installed by `tests/real/install.sh` (`./dev test` runs it). Where they are missing, a suite says that it skips.

use std::path::{Path, PathBuf};

use crate::bins::{bin, workspace_root};
use crate::log::Log;

/// How to start a server: what goes into a server definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables on top of the environment.
    pub env: Vec<(String, String)>,
    /// The working directory, where the server cares.
    pub cwd: Option<PathBuf>,
}

impl Launch {
    /// A program without arguments.
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self {
            command: command.into().display().to_string(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
        }
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl ToString>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.to_string()));
        self
    }

    /// Adds a variable.
    pub fn env(mut self, key: &str, value: impl ToString) -> Self {
        self.env.push((key.to_owned(), value.to_string()));
        self
    }

    /// The same server behind a tee that logs to `log`.
    pub fn tee(self, log: &Path) -> (Self, Log) {
        let mut args = vec![log.display().to_string(), "--".to_owned(), self.command];
        args.extend(self.args);
        let command = bin("tee-server").display().to_string();
        (
            Self {
                command,
                args,
                env: self.env,
                cwd: self.cwd,
            },
            Log::at(log),
        )
    }

    /// As a command of the standard library, for tests without a host.
    pub fn std(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.command);
        command.args(&self.args).envs(self.env.iter().cloned());
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command
    }

    /// As an entry of `servers.json`.
    pub fn entry(&self) -> serde_json::Value {
        let mut entry = serde_json::json!({"command": self.command, "args": self.args});
        if !self.env.is_empty() {
            entry["env"] = self
                .env
                .iter()
                .map(|(key, value)| (key.clone(), value.as_str().into()))
                .collect::<serde_json::Map<_, _>>()
                .into();
        }
        if let Some(cwd) = &self.cwd {
            entry["cwd"] = cwd.display().to_string().into();
        }
        entry
    }
}

/// Are the real servers installed? Says so on stderr where they are not. `GATEHOUSE_REAL=required` makes that a failure.
pub fn installed() -> bool {
    let there = [
        "node_modules/.stamp",
        ".venv/.stamp",
        ".venv-legacy/.stamp",
        "sdist/.stamp",
    ]
    .iter()
    .all(|file| dir().join(file).is_file());
    if !there {
        assert!(
            std::env::var_os("GATEHOUSE_REAL").is_none_or(|value| value != "required"),
            "run tests/real/install.sh first"
        );
        eprintln!("skipped: the real servers are not installed; run tests/real/install.sh");
    }
    there
}

/// Modern: the everything server of PyPI `mcp`, tools `test_input_required_result_*`.
pub fn python_everything() -> Launch {
    sdist_python(
        "examples/servers/everything-server",
        "from mcp_everything_server.server import mcp; mcp.run()",
    )
}

/// Modern: one tool, `catalog_folder`, which asks for roots with a sealed state and answers with the first URI.
pub fn tutorial002() -> Launch {
    sdist_python("docs_src/sampling_and_roots", "from tutorial002 import mcp; mcp.run()")
}

/// Legacy 2025-11-25: asks for roots right after `initialized`; `list_allowed_directories` names them.
pub fn filesystem(folders: &[&Path]) -> Launch {
    node("@modelcontextprotocol/server-filesystem/dist/index.js").args(folders.iter().map(|folder| folder.display()))
}

/// Legacy: asks for roots 350 ms after `initialized`; `get-roots-list`, `trigger-elicitation-request`, ….
pub fn everything() -> Launch {
    node("@modelcontextprotocol/server-everything/dist/index.js").args(["stdio"])
}

/// Legacy: asks for roots inside the first `tools/call`, before it looks for a browser (without one the call ends as a tool error).
pub fn playwright() -> Launch {
    node("@playwright/mcp/cli.js").args(["--headless"])
}

/// Legacy 2025-06-18, JSON-RPC by hand: asks for roots after `initialized`. `repo` must be a git repository.
pub fn devmcp(repo: &Path) -> Launch {
    Launch::new(dir().join(".venv/bin/devmcp")).args(["--repo-path".to_owned(), repo.display().to_string()])
}

/// Legacy: asks nothing; answers the probe with -32602. `get_current_time` takes `{"timezone": "UTC"}`.
pub fn time() -> Launch {
    Launch::new(dir().join(".venv-legacy/bin/python")).args(["-m", "mcp_server_time"])
}

fn dir() -> PathBuf {
    workspace_root().join("tests/real")
}

fn node(script: &str) -> Launch {
    Launch::new("node").args([dir().join("node_modules").join(script).display()])
}

fn sdist_python(folder: &str, code: &str) -> Launch {
    let requirements = std::fs::read_to_string(dir().join("requirements.txt")).unwrap_or_default();
    let version = requirements
        .lines()
        .find_map(|line| line.strip_prefix("mcp=="))
        .unwrap_or_default()
        .trim();
    let path = dir().join(format!("sdist/mcp-{version}")).join(folder);
    Launch::new(dir().join(".venv/bin/python"))
        .args(["-c", code])
        .env("PYTHONPATH", path.display())
}
