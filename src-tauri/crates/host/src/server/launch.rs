//! How a definition becomes a process: program found, environment chosen, working directory neutral. Starts nothing.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use gatehouse_mcp::transport::stdio::Launch;

use super::Definition;
use crate::places::Places;
use crate::store::disk;

/// Variables of ours that a server gets. Everything else of our environment stays here: it is nobody's business, and a
/// path of a project may stand in it.
const PASSED: &[&str] = &[
    "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER", "DISPLAY", "WAYLAND_DISPLAY",
    "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_DIRS",
    "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy",
    "https_proxy", "no_proxy", "all_proxy", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE", "PIP_CERT", "APPDATA", "LOCALAPPDATA", "HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS", "PATHEXT",
    "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMDRIVE", "SYSTEMROOT", "COMSPEC",
    "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
];

/// Makes the launch of a definition.
///
/// # Errors
/// The program is not found, or the working directory is not there; in words that name what was looked for and where.
pub fn of(definition: &Definition, places: &Places) -> Result<Launch, String> {
    let env = environment(definition, std::env::vars_os());
    let cwd = match &definition.cwd {
        None => {
            let neutral = places.neutral(&definition.fingerprint().short());
            disk::private_folder(&neutral).map_err(|e| e.to_string())?;
            neutral
        }
        // A relative one is meant from where the file stands.
        Some(cwd) => {
            let cwd = places.config().join(cwd);
            if !cwd.is_dir() {
                return Err(format!("its working directory {} is not a folder", cwd.display()));
            }
            cwd
        }
    };
    let path = env.iter().find(|(key, _)| key == "PATH").map_or(OsStr::new(""), |(_, value)| value.as_os_str());
    let program = find(&definition.command, path, &cwd)?;
    Ok(Launch { program, args: definition.args.iter().map(OsString::from).collect(), env, cwd })
}

fn environment(definition: &Definition, ours: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    let passed = |key: &OsString| key.to_str().is_some_and(|key| PASSED.contains(&key) || key.starts_with("LC_"));
    let mut env: Vec<(OsString, OsString)> = ours.filter(|(key, _)| passed(key)).collect();
    for (key, value) in &definition.env {
        env.retain(|(old, _)| old != key.as_str());
        env.push((key.into(), value.into()));
    }
    env
}

/// A command with a separator is a path (from the working directory, where relative); any other is looked for in PATH.
fn find(command: &str, path: &OsStr, cwd: &Path) -> Result<PathBuf, String> {
    if command.contains(std::path::is_separator) {
        let program = cwd.join(command);
        return if program.is_file() { Ok(program) } else { Err(format!("there is no file {}", program.display())) };
    }
    let folders: Vec<PathBuf> = std::env::split_paths(path).filter(|folder| folder.is_absolute()).collect();
    let found = folders.iter().flat_map(|folder| spellings(folder, command)).find(|program| is_program(program));
    found.ok_or_else(|| {
        let searched: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        format!("the command {command} was not found in PATH, which is {}", if searched.is_empty() { "empty".into() } else { searched.join(":") })
    })
}

#[cfg(unix)]
fn spellings(folder: &Path, command: &str) -> Vec<PathBuf> {
    vec![folder.join(command)]
}

#[cfg(windows)]
fn spellings(folder: &Path, command: &str) -> Vec<PathBuf> {
    ["", ".exe", ".com"].iter().map(|ending| folder.join(format!("{command}{ending}"))).collect()
}

fn is_program(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(windows)]
    let may_run = true;
    metadata.is_file() && may_run
}
