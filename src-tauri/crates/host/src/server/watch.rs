//! Watches files for changes of other programs: the folder of each is watched, the exact name is matched, and a burst is
//! one ring. Reads nothing itself.

use std::ffi::OsString;
use std::path::Path;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;

use crate::bounds;

/// A watcher of some names in one folder.
#[derive(Debug)]
pub struct FileWatch {
    /// Held, never read: dropping it ends the watch.
    _watcher: RecommendedWatcher,
    rings: mpsc::Receiver<()>,
}

impl FileWatch {
    /// Watches the files with these names in a folder; none when the system can't (then changes are seen at the next start).
    pub fn start(folder: &Path, names: Vec<OsString>) -> Option<Self> {
        let (ring, rings) = mpsc::channel(1);
        let concerns = move |event: &notify::Event| {
            !matches!(event.kind, EventKind::Access(_))
                && event
                    .paths
                    .iter()
                    .any(|path| path.file_name().is_some_and(|name| names.iter().any(|n| n == name)))
        };
        let handler = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if !concerns(&event) => {}
            // A full channel holds a ring already.
            Ok(_) | Err(_) => drop(ring.try_send(())),
        };
        let watched = notify::recommended_watcher(handler).and_then(|mut watcher| {
            watcher.watch(folder, RecursiveMode::NonRecursive)?;
            Ok(watcher)
        });
        match watched {
            Ok(watcher) => Some(Self {
                _watcher: watcher,
                rings,
            }),
            Err(e) => {
                tracing::warn!(folder = %folder.display(), "changes of other programs are not seen at once: {e}");
                None
            }
        }
    }

    /// Waits for the next change and for a quiet moment after it.
    pub async fn changed(&mut self) -> Option<()> {
        self.rings.recv().await?;
        while let Ok(Some(())) = tokio::time::timeout(bounds::WATCH_QUIET, self.rings.recv()).await {}
        Some(())
    }
}
