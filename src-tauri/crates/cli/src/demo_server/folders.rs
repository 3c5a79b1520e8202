//! The folders that a client shared: reading its answer, and looking at one folder. It looks at the first level only, at a
//! bounded number of entries, and opens no file.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::reply::Failure;

/// Entries looked at in one folder. What is beyond is told as "more than".
const ENTRIES: usize = 10_000;
/// Folders looked at in one call.
const FOLDERS: usize = 100;

/// A folder as the client named it.
#[derive(Debug, PartialEq, Eq)]
pub struct Folder {
    pub uri: String,
    pub name: Option<String>,
}

/// What was found in a folder.
#[derive(Debug, PartialEq, Eq)]
pub struct Count {
    pub files: usize,
    pub folders: usize,
    /// There was more than is looked at.
    pub more: bool,
}

/// The input request that asks for folders.
pub fn question() -> Value {
    json!({"method": "roots/list"})
}

/// Reads the answer to it.
pub fn read(answer: &Value) -> Result<Vec<Folder>, Failure> {
    let roots = answer.get("roots").and_then(Value::as_array);
    let roots = roots.ok_or_else(|| Failure::invalid("the answer to roots/list must hold a list named roots"))?;
    let folder = |root: &Value| {
        let uri = root.get("uri").and_then(Value::as_str);
        let uri = uri.ok_or_else(|| Failure::invalid("a root must have a uri that is a text"))?;
        let name = root.get("name").and_then(Value::as_str).map(str::to_owned);
        Ok(Folder {
            uri: uri.to_owned(),
            name,
        })
    };
    roots.iter().take(FOLDERS).map(folder).collect()
}

impl Folder {
    /// How the results name it: name and URI, or the URI where it has no name.
    pub fn label(&self) -> String {
        self.name
            .as_ref()
            .map_or_else(|| self.uri.clone(), |name| format!("{name} ({})", self.uri))
    }

    /// The name alone, or the last part of the URI.
    pub fn short(&self) -> &str {
        let last = || self.uri.trim_end_matches('/').rsplit('/').next().unwrap_or(&self.uri);
        self.name.as_deref().unwrap_or_else(last)
    }

    /// Counts what lies directly inside. The error is a sentence.
    pub fn count(&self) -> Result<Count, String> {
        let path = path(&self.uri)?;
        let entries = std::fs::read_dir(&path).map_err(|error| format!("can't be read: {error}"))?;
        let mut count = Count {
            files: 0,
            folders: 0,
            more: false,
        };
        for (looked, entry) in entries.enumerate() {
            if looked == ENTRIES {
                count.more = true;
                break;
            }
            let is_folder = entry.and_then(|entry| entry.file_type()).map(|kind| kind.is_dir());
            match is_folder.map_err(|error| format!("can't be read: {error}"))? {
                true => count.folders += 1,
                false => count.files += 1,
            }
        }
        Ok(count)
    }
}

impl Count {
    /// The count in words.
    pub fn words(&self) -> String {
        let of = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let more = if self.more { "more than " } else { "" };
        format!("{more}{} and {}", of(self.files, "file"), of(self.folders, "folder"))
    }
}

/// The path that a `file:` URI names. On Unix any bytes are a path, so the percent-encoding is undone to bytes, not to text.
pub fn path(uri: &str) -> Result<PathBuf, String> {
    let (scheme, rest) = uri.split_once(':').ok_or("is no URI")?;
    if !scheme.eq_ignore_ascii_case("file") {
        return Err("is no file: URI".to_owned());
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let encoded = match rest.strip_prefix("//") {
        None => rest,
        Some(with_host) => {
            let slash = with_host.find('/').unwrap_or(with_host.len());
            let (host, path) = with_host.split_at(slash);
            if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) {
                return Err(format!("lies on another machine ({host})"));
            }
            path
        }
    };
    if !encoded.starts_with('/') {
        return Err("names no absolute path".to_owned());
    }
    let bytes = decode(encoded).ok_or("holds a % that starts no byte")?;
    if bytes.contains(&0) {
        return Err("holds a zero byte".to_owned());
    }
    to_path(bytes).ok_or_else(|| "can't be a path here".to_owned())
}

#[cfg(unix)]
fn to_path(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

/// `/C:/x` is `C:/x`.
#[cfg(not(unix))]
fn to_path(bytes: Vec<u8>) -> Option<PathBuf> {
    let text = String::from_utf8(bytes).ok()?;
    let drive = text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if drive { &text[1..] } else { &text }))
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let (pair, tail) = tail.split_at_checked(2)?;
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            bytes.push(u8::try_from(digit(0)? * 16 + digit(1)?).ok()?);
            rest = tail;
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    Some(bytes)
}
