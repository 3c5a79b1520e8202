//! One window a home: the first start holds a lock while it lives; a later one rings at its door and goes. Two homes are two.
//!
//! A lock and a watched file need no bus, leave nothing stale behind a killed process, and are the same on every system.

use std::fs::{File, TryLockError};

use crate::clock;
use crate::error::Result;
use crate::places::Places;
use crate::server::watch::FileWatch;
use crate::store::disk;

const LOCK: &str = "window.lock";
const RING: &str = "window.ring";

/// What a start of the window turned out to be.
#[derive(Debug)]
pub enum Start {
    /// There is no other window of this home.
    First(First),
    /// There is one; it was asked to come to the front.
    Later,
}

/// The right to be the window of a home, until it is dropped.
#[derive(Debug)]
pub struct First {
    /// Held, never read: the system drops the lock with the process.
    _held: File,
}

/// Later starts, as they ring.
#[derive(Debug)]
pub struct Rings(FileWatch);

/// Claims the window of a home, or rings at the one there is. Blocks.
///
/// # Errors
/// The home's folder can't be written to. Where the disk knows no locks there is no first and no later: both go on, since the
/// stores can be used by several processes.
pub fn claim(places: &Places) -> Result<Start> {
    disk::private_folder(places.data())?;
    let held = disk::private_file(&places.data().join(LOCK))?;
    match held.try_lock() {
        Ok(()) => Ok(Start::First(First { _held: held })),
        Err(TryLockError::WouldBlock) => {
            disk::replace_text(&places.data().join(RING), &clock::rfc3339(clock::now()))?;
            Ok(Start::Later)
        }
        Err(TryLockError::Error(error)) => {
            tracing::warn!("whether Gatehouse is open already can't be told: {error}");
            Ok(Start::First(First { _held: held }))
        }
    }
}

impl Rings {
    /// Listens for later starts of a home; none where the system can't watch files.
    pub fn of(places: &Places) -> Option<Self> {
        FileWatch::start(places.data(), vec![RING.into()]).map(Self)
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Option<()> {
        self.0.changed().await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_later_start_rings_and_another_home_is_its_own() {
        let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (home, other) = (Places::under(home.path()), Places::under(other.path()));
        let Start::First(first) = claim(&home).unwrap() else {
            panic!("nobody was there before");
        };
        let mut rings = Rings::of(&home).unwrap();
        assert!(matches!(claim(&home).unwrap(), Start::Later), "the second of a home");
        let rang = tokio::time::timeout(Duration::from_secs(10), rings.next()).await;
        assert_eq!(rang, Ok(Some(())), "the first hears of it");
        assert!(
            matches!(claim(&other).unwrap(), Start::First(_)),
            "another home has a window of its own"
        );
        drop(first);
        assert!(
            matches!(claim(&home).unwrap(), Start::First(_)),
            "the right ends with its holder"
        );
    }
}
