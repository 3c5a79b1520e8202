//! The ordered list of roots: added, removed, renamed, reordered. Not who may know of them.

use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};
use crate::harmless;
use crate::root::{Probed, RootId, look};
use crate::store::Store;
use crate::undo::TakenFolder;
use crate::view::{AddedFolder, Health};

/// The roots of the active workspace with what the disk says of each now. Blocks.
///
/// # Errors
/// The database refused.
pub fn probed(store: &Store) -> Result<Vec<Probed>> {
    Ok(store.roots()?.into_iter().map(crate::root::Root::probe).collect())
}

/// Adds paths in order; each has its own end, so that one bad path costs itself alone. Blocks.
///
/// # Errors
/// The database refused.
pub fn add(store: &Store, paths: &[PathBuf], name: Option<&str>) -> Result<Vec<AddedFolder>> {
    paths.iter().map(|path| add_one(store, path, name)).collect()
}

/// Removes a root, and says what it was.
///
/// # Errors
/// There is no such root, or the database refused.
pub fn remove(store: &Store, id: RootId) -> Result<TakenFolder> {
    let roots = store.roots()?;
    let taken = roots.into_iter().enumerate().find(|(_, root)| root.id == id);
    found(store.remove_root(id)?, id)?;
    let (place, root) = taken.ok_or_else(|| missing(id))?;
    Ok(TakenFolder {
        id,
        path: root.path,
        name: root.name,
        place,
    })
}

/// Puts a removed root back at its place, as a new one: no decision hangs on it.
///
/// # Errors
/// Its path is in the list again, or the database refused.
pub fn put_back(store: &Store, taken: &TakenFolder) -> Result<()> {
    let id = store
        .add_root(&taken.path, &taken.name)?
        .ok_or_else(|| HostError::Exists {
            what: format!("the folder {}", harmless::line(&taken.path.to_string_lossy(), 4096)),
        })?;
    let mut order: Vec<RootId> = store.roots()?.into_iter().map(|root| root.id).collect();
    order.retain(|other| *other != id);
    order.insert(taken.place.min(order.len()), id);
    store.reorder_roots(&order)
}

/// Renames a root.
///
/// # Errors
/// There is no such root, the name is empty, or the database refused.
pub fn rename(store: &Store, id: RootId, name: &str) -> Result<()> {
    let name = name.trim();
    if name.is_empty() {
        return Err(HostError::Invalid {
            reason: "a folder's name can't be empty".into(),
        });
    }
    found(store.rename_root(id, name)?, id)
}

/// The name that a path gets at first: its last segment, or the path itself where it has none.
pub fn default_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.to_string_lossy().into_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn add_one(store: &Store, path: &Path, name: Option<&str>) -> Result<AddedFolder> {
    let shown = harmless::line(&path.to_string_lossy(), 4096);
    let refused = |problem: String| {
        Ok(AddedFolder {
            path: shown.clone(),
            id: None,
            problem: Some(problem),
        })
    };
    if !path.is_absolute() {
        return refused("it is not an absolute path".into());
    }
    if path
        .components()
        .any(|part| matches!(part, std::path::Component::ParentDir))
    {
        return refused("it holds “..”; give the path that it leads to".into());
    }
    let path: PathBuf = path.components().collect();
    let (health, target) = look(&path);
    match health {
        Health::Ready => {}
        Health::Missing => return refused("there is nothing at this path".into()),
        Health::NotAFolder => return refused("it is neither a folder nor a file".into()),
        Health::Unreadable { reason } => return refused(format!("it can't be read: {reason}")),
    }
    let twin = store
        .roots()?
        .into_iter()
        .find(|root| root.path == path || (target.is_some() && root.path.canonicalize().ok() == target));
    if let Some(twin) = twin {
        let problem = format!("it is in the list already, as “{}”", harmless::line(&twin.name, 100));
        return Ok(AddedFolder {
            path: shown,
            id: Some(twin.id.0),
            problem: Some(problem),
        });
    }
    let name = name.map_or_else(|| default_name(&path), str::to_owned);
    match store.add_root(&path, &name)? {
        Some(id) => Ok(AddedFolder {
            path: shown,
            id: Some(id.0),
            problem: None,
        }),
        None => refused("it is in the list already".into()),
    }
}

fn found(there: bool, id: RootId) -> Result<()> {
    if there { Ok(()) } else { Err(missing(id)) }
}

fn missing(id: RootId) -> HostError {
    HostError::NotFound {
        what: format!("folder number {}", id.0),
    }
}
