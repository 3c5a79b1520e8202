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
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ADDRESS",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "PIP_CERT",
    "APPDATA",
    "LOCALAPPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "NUMBER_OF_PROCESSORS",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "COMSPEC",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// Makes the launch of a definition.
///
/// # Errors
/// The program is not found, or the working directory is not there; in words that name what was looked for and where.
pub fn of(definition: &Definition, places: &Places, roots: &[PathBuf]) -> Result<Launch, String> {
    let env = environment(definition, std::env::vars_os(), roots);
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
    // The program is looked for in all of our PATH, also in what the server is not told of.
    let written = definition
        .env
        .iter()
        .find(|(key, _)| key == "PATH")
        .map(|(_, value)| OsString::from(value));
    let path = written.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    let program = find(&definition.command, &path, &cwd)?;
    Ok(Launch {
        program,
        args: definition.args.iter().map(OsString::from).collect(),
        env,
        cwd,
    })
}

fn environment(
    definition: &Definition,
    ours: impl Iterator<Item = (OsString, OsString)>,
    roots: &[PathBuf],
) -> Vec<(OsString, OsString)> {
    let passed = |key: &OsString| key.to_str().is_some_and(|key| PASSED.contains(&key));
    let ours = ours.filter(|(key, _)| passed(key));
    let mut env: Vec<(OsString, OsString)> = ours
        .filter_map(|(key, value)| Some((key, discreet(&value, roots)?)))
        .collect();
    for (key, value) in &definition.env {
        env.retain(|(old, _)| old != key.as_str());
        env.push((key.into(), value.into()));
    }
    env
}

/// A value of our environment without what names a root: our shell may stand in a project (a virtual environment, a tool's
/// folder in PATH), and a server is told of a project by an answer only. None where nothing is left.
fn discreet(value: &OsStr, roots: &[PathBuf]) -> Option<OsString> {
    let names_root = |part: &PathBuf| part.is_absolute() && roots.iter().any(|root| part.starts_with(root));
    let parts: Vec<PathBuf> = std::env::split_paths(value).collect();
    if !parts.iter().any(names_root) {
        return Some(value.to_owned());
    }
    let kept: Vec<PathBuf> = parts.into_iter().filter(|part| !names_root(part)).collect();
    if kept.is_empty() {
        None
    } else {
        std::env::join_paths(kept).ok()
    }
}

/// A command with a separator is a path (from the working directory, where relative); any other is looked for in PATH.
fn find(command: &str, path: &OsStr, cwd: &Path) -> Result<PathBuf, String> {
    if command.contains(std::path::is_separator) {
        let program = cwd.join(command);
        return if program.is_file() {
            Ok(program)
        } else {
            Err(format!("there is no file {}", program.display()))
        };
    }
    let folders: Vec<PathBuf> = std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .collect();
    let found = folders
        .iter()
        .flat_map(|folder| spellings(folder, command))
        .find(|program| is_program(program));
    found.ok_or_else(|| {
        let searched: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        format!(
            "the command {command} was not found in PATH, which is {}",
            if searched.is_empty() {
                "empty".into()
            } else {
                searched.join(":")
            }
        )
    })
}

#[cfg(unix)]
fn spellings(folder: &Path, command: &str) -> Vec<PathBuf> {
    vec![folder.join(command)]
}

#[cfg(windows)]
fn spellings(folder: &Path, command: &str) -> Vec<PathBuf> {
    ["", ".exe", ".com"]
        .iter()
        .map(|ending| folder.join(format!("{command}{ending}")))
        .collect()
}

fn is_program(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(windows)]
    let may_run = true;
    metadata.is_file() && may_run
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_root_stays_here() {
        let roots = [PathBuf::from("/home/ada/site")];
        let check = |value: &str, expect: Option<&str>| {
            assert_eq!(
                discreet(OsStr::new(value), &roots).as_deref(),
                expect.map(OsStr::new),
                "{value}"
            );
        };
        check("/usr/bin:/bin", Some("/usr/bin:/bin"));
        check("/home/ada/site/.venv/bin:/usr/bin", Some("/usr/bin"));
        check(
            "/home/ada/site-two/bin:/usr/bin",
            Some("/home/ada/site-two/bin:/usr/bin"),
        );
        check("/home/ada/site", None);
        check("en_GB.UTF-8", Some("en_GB.UTF-8"));
        let definition = Definition {
            name: "s".into(),
            command: "c".into(),
            args: vec![],
            env: vec![("X".into(), "/home/ada/site".into())],
            cwd: None,
        };
        let ours = [
            ("PATH", "/home/ada/site/bin"),
            ("PWD", "/home/ada/site"),
            ("LC_X", "/home/ada/site"),
            ("HOME", "/home/ada"),
        ];
        let env = environment(&definition, ours.into_iter().map(|(k, v)| (k.into(), v.into())), &roots);
        let expect: Vec<(OsString, OsString)> = vec![
            ("HOME".into(), "/home/ada".into()),
            ("X".into(), "/home/ada/site".into()),
        ];
        assert_eq!(
            env, expect,
            "what the person wrote into the definition is theirs to write"
        );
    }
}
