//! The configured servers as they were last read: the last good ones stay when the file breaks.

use std::sync::{Arc, Mutex, MutexGuard};

use super::entry::Entry;
use super::file::{Configured, Removed, ServersFile};
use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{ServerInput, ServersFileView};

/// The file and its last good reading.
#[derive(Debug)]
pub struct Loaded {
    file: ServersFile,
    last: Mutex<Last>,
}

#[derive(Debug, Default)]
struct Last {
    good: Configured,
    problem: Option<String>,
}

impl Loaded {
    /// Reads the file for the first time.
    pub fn of(file: ServersFile) -> Self {
        let loaded = Self {
            file,
            last: Mutex::default(),
        };
        loaded.reload();
        loaded
    }

    /// Reads the file again; true when what is configured, or why it can't be read, changed.
    pub fn reload(&self) -> bool {
        let read = self.file.read();
        let mut last = self.last();
        match read {
            Ok(configured) => {
                let changed = configured.entries != last.good.entries || last.problem.is_some();
                *last = Last {
                    good: configured,
                    problem: None,
                };
                changed
            }
            Err(error) => {
                let problem = Some(harmless::line(&error.to_string(), 1000));
                let changed = problem != last.problem;
                last.problem = problem;
                changed
            }
        }
    }

    /// The entries, in the file's order.
    pub fn entries(&self) -> Vec<Arc<Entry>> {
        self.last().good.entries.clone()
    }

    /// The entry of a name.
    ///
    /// # Errors
    /// There is none, or none that is known while the file can't be read.
    pub fn entry(&self, name: &str) -> Result<Arc<Entry>> {
        let last = self.last();
        let found = last
            .good
            .entries
            .iter()
            .find(|entry| entry.definition.name == name)
            .cloned();
        found.ok_or_else(|| match &last.problem {
            None => HostError::NotFound {
                what: format!("server {name}"),
            },
            Some(problem) => HostError::Invalid {
                reason: format!("server {name} can't be looked up: {problem}"),
            },
        })
    }

    /// Adds an entry to the file.
    ///
    /// # Errors
    /// Those of [`ServersFile::add`], and that the file can't be read now.
    pub fn add(&self, input: &ServerInput) -> Result<()> {
        let _turn = self.file.turn()?;
        self.file.add(&self.file.read()?, input)?;
        self.reload();
        Ok(())
    }

    /// Removes an entry from the file.
    ///
    /// # Errors
    /// Those of [`ServersFile::remove`], and that the file can't be read now.
    pub fn remove(&self, name: &str) -> Result<Removed> {
        let _turn = self.file.turn()?;
        let removed = self.file.remove(&self.file.read()?, name)?;
        self.reload();
        Ok(removed)
    }

    /// Puts a removed entry back.
    ///
    /// # Errors
    /// Those of [`ServersFile::put_back`], and that the file can't be read now.
    pub fn put_back(&self, removed: &Removed) -> Result<()> {
        let _turn = self.file.turn()?;
        self.file.put_back(&self.file.read()?, removed)?;
        self.reload();
        Ok(())
    }

    /// The file for a screen.
    pub fn view(&self) -> ServersFileView {
        ServersFileView {
            path: harmless::line(&self.file.path().to_string_lossy(), 4096),
            problem: self.last().problem.clone(),
        }
    }

    fn last(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
