//! What the person took away a moment ago, kept so that it can be put back. In this run only, and only the last few.
//!
//! Nothing that left the machine is here, and no decision: a folder that comes back is a folder that nobody decided on yet.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::root::RootId;
use crate::server::file::Removed;

/// How many of each are kept.
const KEPT: usize = 8;

/// What was taken away.
#[derive(Debug, Default)]
pub struct Undo {
    folders: Mutex<VecDeque<TakenFolder>>,
    servers: Mutex<VecDeque<Removed>>,
}

/// A folder that was taken off the list.
#[derive(Debug, Clone)]
pub struct TakenFolder {
    /// The number that it had; it is not given again.
    pub id: RootId,
    /// Its path.
    pub path: PathBuf,
    /// The name that was told with it.
    pub name: String,
    /// Its place in the list, from 0.
    pub place: usize,
}

impl Undo {
    /// Keeps a folder.
    pub fn keep_folder(&self, folder: TakenFolder) {
        keep(&self.folders, folder);
    }

    /// Hands a folder out, once.
    pub fn take_folder(&self, id: RootId) -> Option<TakenFolder> {
        take(&self.folders, |folder| folder.id == id)
    }

    /// Keeps a server's entry.
    pub fn keep_server(&self, removed: Removed) {
        keep(&self.servers, removed);
    }

    /// Hands the entry of a name out, once; the last one where several had it.
    pub fn take_server(&self, name: &str) -> Option<Removed> {
        take(&self.servers, |removed| removed.name == name)
    }
}

fn keep<T>(all: &Mutex<VecDeque<T>>, one: T) {
    let mut all = all.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    all.push_back(one);
    if all.len() > KEPT {
        all.pop_front();
    }
}

fn take<T>(all: &Mutex<VecDeque<T>>, is: impl Fn(&T) -> bool) -> Option<T> {
    let mut all = all.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let at = all.iter().rposition(is)?;
    all.remove(at)
}
