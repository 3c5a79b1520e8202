//! A root: a folder (or file) the person picked, and what the disk says of it now. Not the list of roots, and not what
//! is disclosed of one.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::harmless;
use crate::view::{FolderView, Health};

/// Number of a root; never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RootId(pub u64);

/// A root as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its number.
    pub id: RootId,
    /// The path as picked; disclosed in exactly these bytes.
    pub path: PathBuf,
    /// The name that is disclosed with it.
    pub name: String,
}

/// A root with what the disk said when it was last looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// The root.
    pub root: Root,
    /// Whether it could be disclosed.
    pub health: Health,
    /// Where the path leads after links are resolved: to compare, never to disclose. None when it leads nowhere.
    pub target: Option<PathBuf>,
}

impl Root {
    /// Looks at the disk. Blocks; a dead network drive can take long.
    pub fn probe(self) -> Probed {
        let (health, target) = look(&self.path);
        Probed {
            root: self,
            health,
            target,
        }
    }
}

impl Probed {
    /// True when the root is there and readable.
    pub fn is_ready(&self) -> bool {
        self.health == Health::Ready
    }

    /// The path for a screen.
    pub fn shown_path(&self) -> String {
        harmless::line(&self.root.path.to_string_lossy(), 4096)
    }

    /// Where the path really leads, for a screen, when that differs from the path.
    pub fn shown_target(&self) -> Option<String> {
        let target = self.target.as_ref().filter(|target| **target != self.root.path)?;
        Some(harmless::line(&target.to_string_lossy(), 4096))
    }

    /// Why it can't be disclosed now, in words; none when it can.
    pub fn trouble(&self) -> Option<String> {
        match &self.health {
            Health::Ready => None,
            Health::Missing => Some("it is missing".into()),
            Health::NotAFolder => Some("it is neither a folder nor a file".into()),
            Health::Unreadable { reason } => Some(format!("it can't be read: {reason}")),
        }
    }

    /// The root for a screen.
    pub fn view(&self) -> FolderView {
        FolderView {
            id: self.root.id.0,
            path: self.shown_path(),
            real_path: self.shown_target(),
            name: harmless::line(&self.root.name, crate::bounds::LINE),
            uri: crate::uri::of(&self.root.path),
            health: self.health.clone(),
        }
    }
}

/// Health and target of a path.
pub fn look(path: &Path) -> (Health, Option<PathBuf>) {
    if !is_plain(path) {
        return (
            Health::Unreadable {
                reason: "its path is relative or has “.” or “..” in it, which Gatehouse never stores".into(),
            },
            None,
        );
    }
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(e)
            if matches!(
                e.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return (Health::Missing, None);
        }
        Err(e) => return (Health::Unreadable { reason: e.to_string() }, None),
    };
    let target = path.canonicalize().ok();
    let readable = if metadata.is_dir() {
        path.read_dir().map(drop)
    } else if metadata.is_file() {
        // Only a plain file is opened: opening a pipe or a device could wait for ever or do something.
        open_plain(path)
    } else {
        return (Health::NotAFolder, target);
    };
    match readable {
        Ok(()) => (Health::Ready, target),
        Err(e) => (Health::Unreadable { reason: e.to_string() }, target),
    }
}

/// An absolute path without dot segments. Another one can only come from a hand-edited store, and is never disclosed.
fn is_plain(path: &Path) -> bool {
    use std::path::Component;
    path.is_absolute()
        && path
            .components()
            .all(|part| !matches!(part, Component::ParentDir | Component::CurDir))
        && !path
            .as_os_str()
            .as_encoded_bytes()
            .split(|byte| *byte == b'/')
            .any(|segment| segment == b"." || segment == b"..")
}

#[allow(
    clippy::disallowed_methods,
    reason = "readability of a picked file is found out by opening it, nothing is read"
)]
fn open_plain(path: &Path) -> std::io::Result<()> {
    std::fs::File::open(path).map(drop)
}
