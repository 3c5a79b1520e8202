//! The bell between processes: a file that a process touches some moments after it wrote to the database, and that the
//! others watch. Watching the database itself would wake every process, the writer first, many times for each commit.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use super::{Store, disk};
use crate::error::Result;

/// The name of the file, alone in its folder.
pub const FILE: &str = "rung";

/// The bell of one process.
#[derive(Debug)]
pub(super) struct Bell {
    file: PathBuf,
    /// Something was written that the others were not told of.
    unheard: AtomicBool,
    wake: Arc<Notify>,
}

impl Bell {
    /// Makes the file where there is none.
    pub(super) fn hang(folder: &Path) -> Result<Self> {
        disk::private_folder(folder)?;
        let file = folder.join(FILE);
        disk::private_file(&file)?;
        Ok(Self {
            file,
            unheard: AtomicBool::new(false),
            wake: Arc::default(),
        })
    }

    /// The database was written to.
    pub(super) fn written(&self) {
        if !self.unheard.swap(true, Ordering::AcqRel) {
            self.wake.notify_one();
        }
    }

    fn ring(&self) {
        if self.unheard.swap(false, Ordering::AcqRel)
            && let Err(error) = disk::touch(&self.file)
        {
            tracing::warn!("other processes are not told at once of what was changed: {error}");
        }
    }
}

/// What was written last is told when the process ends, if not before.
impl Drop for Bell {
    fn drop(&mut self) {
        self.ring();
        self.wake.notify_one();
    }
}

impl Store {
    /// Wakes whoever is to call [`Store::tell_others`] after a write, and once more when the store is gone.
    pub fn unheard(&self) -> Arc<Notify> {
        self.bell.wake.clone()
    }

    /// Tells the other processes, where there is something to tell. Blocks for the disk.
    pub fn tell_others(&self) {
        self.bell.ring();
    }
}
