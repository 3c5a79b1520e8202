//! Intents about folders.

use std::path::PathBuf;

use super::Host;
use crate::changes::Part;
use crate::connection;
use crate::error::{HostError, Result};
use crate::root::{Probed, RootId};
use crate::view::{AddedFolder, FolderView};
use crate::workspace;

impl Host {
    /// The folders of the active workspace, in order, as the disk has them now.
    ///
    /// # Errors
    /// The database refused.
    pub async fn folders(&self) -> Result<Vec<FolderView>> {
        self.core
            .blocking(|core| Ok(workspace::probed(&core.store)?.iter().map(Probed::view).collect()))
            .await
    }

    /// Adds folders in order, each with its own end.
    ///
    /// # Errors
    /// The database refused.
    pub async fn add_folders(&self, paths: Vec<PathBuf>, name: Option<String>) -> Result<Vec<AddedFolder>> {
        let added = self
            .core
            .blocking(move |core| workspace::add(&core.store, &paths, name.as_deref()))
            .await?;
        self.folders_changed().await;
        Ok(added)
    }

    /// Removes a folder from the list, with the decisions on it. The folder itself is not touched.
    ///
    /// # Errors
    /// There is none of this number, or the database refused.
    pub async fn remove_folder(&self, id: u64) -> Result<()> {
        self.core
            .blocking(move |core| {
                let taken = workspace::remove(&core.store, RootId(id))?;
                core.undo.keep_folder(taken);
                Ok(())
            })
            .await?;
        self.core.changes.ring(Part::Grants);
        self.folders_changed().await;
        Ok(())
    }

    /// Puts a folder back that was removed in this run: its path, its name and its place in the list. Decisions on it do not come
    /// back, so servers ask again: what is shared hangs on a decision that stands, never on one that was once there.
    ///
    /// # Errors
    /// No folder of this number was removed in this run, the path is in the list again, or the database refused.
    pub async fn restore_folder(&self, id: u64) -> Result<()> {
        self.core
            .blocking(move |core| {
                let taken = core.undo.take_folder(RootId(id)).ok_or_else(|| HostError::NotFound {
                    what: format!("a removed folder of number {id}"),
                })?;
                workspace::put_back(&core.store, &taken)
            })
            .await?;
        self.folders_changed().await;
        Ok(())
    }

    /// Renames a folder in the list. The folder itself is not touched.
    ///
    /// # Errors
    /// There is none of this number, the name is empty, or the database refused.
    pub async fn rename_folder(&self, id: u64, name: String) -> Result<()> {
        self.core
            .blocking(move |core| workspace::rename(&core.store, RootId(id), &name))
            .await?;
        self.folders_changed().await;
        Ok(())
    }

    /// Puts the folders in this order.
    ///
    /// # Errors
    /// The database refused.
    pub async fn reorder_folders(&self, ids: Vec<u64>) -> Result<()> {
        let order: Vec<RootId> = ids.into_iter().map(RootId).collect();
        self.core.blocking(move |core| core.store.reorder_roots(&order)).await?;
        self.folders_changed().await;
        Ok(())
    }

    async fn folders_changed(&self) {
        self.core.changes.ring(Part::Folders);
        connection::tell_changes(&self.core).await;
    }
}
