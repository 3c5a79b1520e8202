//! `servers.json`: read whole, edited in place (comments, order, unknown keys and line ends stay), written atomically
//! and never over another program's change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::entry::{self, Entry};
use crate::bounds;
use crate::error::{HostError, Result};
use crate::store::disk;
use crate::view::ServerInput;

/// The file, and what it last held.
#[derive(Debug)]
pub struct ServersFile {
    path: PathBuf,
}

/// What the file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configured {
    /// The entries in the file's order.
    pub entries: Vec<Arc<Entry>>,
    /// The text they were read from; none where there is no file.
    pub text: Option<String>,
}

/// An entry that was taken out.
#[derive(Debug, Clone)]
pub struct Removed {
    /// Its name.
    pub name: String,
    /// The file's text with it.
    before: String,
    /// The file's text without it.
    after: String,
    /// What stood under the name.
    value: Value,
}

/// The right to edit the file, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _held: std::fs::File,
}

impl ServersFile {
    /// The file at this path; it need not exist.
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads it. No file is no servers; a broken one is an error that names the line.
    ///
    /// # Errors
    /// It can't be read, or is not JSON (comments and trailing commas are fine) with an object at `mcpServers`.
    pub fn read(&self) -> Result<Configured> {
        let Some(text) = disk::read_text(&self.path, bounds::SERVERS_FILE)? else {
            return Ok(Configured::default());
        };
        let value: Value =
            jsonc_parser::parse_to_serde_value(plain(&text), &allowed()).map_err(|e| self.broken(&e.to_string()))?;
        let entries = match value {
            // A file with nothing but space or comments.
            Value::Null => Vec::new(),
            Value::Object(top) => match top.get("mcpServers") {
                None => Vec::new(),
                Some(Value::Object(servers)) => servers
                    .iter()
                    .map(|(name, value)| Arc::new(entry::read(name, value)))
                    .collect(),
                Some(_) => return Err(self.broken("“mcpServers” is not an object")),
            },
            _ => return Err(self.broken("the file does not hold an object")),
        };
        Ok(Configured {
            entries,
            text: Some(text),
        })
    }

    /// Waits for this process's turn to edit; two of ours never write over one another. Other programs know nothing of it,
    /// so their changes are still looked for. Blocks.
    ///
    /// # Errors
    /// The disk refused.
    pub fn turn(&self) -> Result<Turn> {
        let lock = self.path.with_extension("lock");
        disk::private_folder(lock.parent().unwrap_or(Path::new(".")))?;
        let held = disk::private_file(&lock)?;
        held.lock().map_err(|e| HostError::Storage {
            what: lock.display().to_string(),
            reason: e.to_string(),
        })?;
        Ok(Turn { _held: held })
    }

    /// Adds an entry at the end.
    ///
    /// # Errors
    /// The name is taken or can't be one, the file is broken or was changed since `seen`, or the disk refused.
    pub fn add(&self, seen: &Configured, input: &ServerInput) -> Result<()> {
        if let Some(reason) = entry::name_trouble(&input.name) {
            return Err(HostError::Invalid { reason });
        }
        if input.command.trim().is_empty() {
            return Err(HostError::Invalid {
                reason: format!("server {} needs a command", input.name),
            });
        }
        let name = input.name.as_str();
        if let Some(twin) = seen
            .entries
            .iter()
            .find(|entry| entry.definition.name.to_lowercase() == name.to_lowercase())
        {
            return Err(HostError::Exists {
                what: format!("a server {}", twin.definition.name),
            });
        }
        let done = self.edit(seen, |servers| {
            servers.append(name, value(input));
            Ok(())
        });
        done.map(drop)
    }

    /// Removes an entry, and says what it takes to put it back.
    ///
    /// # Errors
    /// There is none of that name, the file is broken or was changed since `seen`, or the disk refused.
    pub fn remove(&self, seen: &Configured, name: &str) -> Result<Removed> {
        let after = self.edit(seen, |servers| match servers.get(name) {
            Some(property) => {
                property.remove();
                Ok(())
            }
            None => Err(HostError::NotFound {
                what: format!("server {name}"),
            }),
        })?;
        let before = seen.text.clone().unwrap_or_default();
        let whole: Value = jsonc_parser::parse_to_serde_value(plain(&before), &allowed()).unwrap_or_default();
        Ok(Removed {
            name: name.to_owned(),
            value: whole["mcpServers"][name].clone(),
            before,
            after,
        })
    }

    /// Puts a removed entry back: the file as it was to the letter, where nobody changed it since, else the entry at the end.
    ///
    /// # Errors
    /// The name is taken again, the file is broken or was changed since `seen`, or the disk refused.
    pub fn put_back(&self, seen: &Configured, removed: &Removed) -> Result<()> {
        if seen.text.as_ref() == Some(&removed.after) {
            return disk::replace_text(&self.path, &removed.before);
        }
        let name = removed.name.as_str();
        let done = self.edit(seen, |servers| {
            if servers.get(name).is_some() {
                return Err(HostError::Exists {
                    what: format!("a server {name}"),
                });
            }
            servers.append(name, input(&removed.value));
            Ok(())
        });
        done.map(drop)
    }

    /// Gives the new text.
    fn edit(&self, seen: &Configured, change: impl FnOnce(&CstObject) -> Result<()>) -> Result<String> {
        let text = seen.text.as_deref().unwrap_or("{\n  \"mcpServers\": {}\n}\n");
        let root = CstRootNode::parse(plain(text), &allowed()).map_err(|e| self.broken(&e.to_string()))?;
        let top = root
            .object_value_or_create()
            .ok_or_else(|| self.broken("the file does not hold an object"))?;
        let servers = top
            .object_value_or_create("mcpServers")
            .ok_or_else(|| self.broken("“mcpServers” is not an object"))?;
        change(&servers)?;
        if disk::read_text(&self.path, bounds::SERVERS_FILE)? != seen.text {
            return Err(HostError::Conflict {
                path: self.path.display().to_string(),
            });
        }
        let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        let text = format!("{mark}{root}");
        disk::replace_text(&self.path, &text)?;
        Ok(text)
    }

    fn broken(&self, reason: &str) -> HostError {
        HostError::Storage {
            what: self.path.display().to_string(),
            reason: reason.to_owned(),
        }
    }
}

/// JSON with comments and trailing commas, as people write it in other hosts; nothing looser.
fn allowed() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn plain(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn value(input: &ServerInput) -> CstInputValue {
    let mut object = vec![("command".to_owned(), CstInputValue::from(input.command.clone()))];
    let texts =
        |list: &[String]| CstInputValue::Array(list.iter().map(|text| CstInputValue::from(text.clone())).collect());
    object.push(("args".to_owned(), texts(&input.args)));
    if !input.env.is_empty() {
        let env = input
            .env
            .iter()
            .map(|(key, value)| (key.clone(), CstInputValue::from(value.clone())))
            .collect();
        object.push(("env".to_owned(), CstInputValue::Object(env)));
    }
    if let Some(cwd) = &input.cwd {
        object.push(("cwd".to_owned(), CstInputValue::from(cwd.clone())));
    }
    CstInputValue::Object(object)
}

/// JSON as the editor of the file takes it.
fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(on) => CstInputValue::Bool(*on),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the test is the other program")]
mod tests {
    use super::*;

    const TEXT: &str = "// mine\n{ \"mcpServers\": {\n  \"a\": { \"command\": \"x\", \"own\": 1.50 }, // the first\n  \"b\": { \"command\": \"y\" },\n} }\n";

    fn removed() -> (tempfile::TempDir, ServersFile, Removed) {
        let place = tempfile::tempdir().unwrap();
        let file = ServersFile::at(place.path().join("servers.json"));
        std::fs::write(file.path(), TEXT).unwrap();
        let removed = file.remove(&file.read().unwrap(), "a").unwrap();
        assert!(!std::fs::read_to_string(file.path()).unwrap().contains("own"));
        (place, file, removed)
    }

    #[test]
    fn what_was_taken_out_comes_back_to_the_letter() {
        let (_place, file, removed) = removed();
        file.put_back(&file.read().unwrap(), &removed).unwrap();
        assert_eq!(std::fs::read_to_string(file.path()).unwrap(), TEXT);
        let again = file.put_back(&file.read().unwrap(), &removed);
        assert!(matches!(again, Err(HostError::Exists { .. })), "once: {again:?}");
    }

    #[test]
    fn what_others_wrote_since_stays() {
        let (_place, file, removed) = removed();
        let text = std::fs::read_to_string(file.path()).unwrap();
        std::fs::write(file.path(), text.replace("\"y\"", "\"z\"")).unwrap();
        file.put_back(&file.read().unwrap(), &removed).unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(text.contains("\"z\"") && text.contains("// mine"), "theirs: {text}");
        let names: Vec<_> = file
            .read()
            .unwrap()
            .entries
            .iter()
            .map(|entry| entry.definition.name.clone())
            .collect();
        assert_eq!(names, ["b", "a"], "and ours, at the end");
        assert!(text.contains("\"own\""), "with the keys that we don't know: {text}");
    }
}
