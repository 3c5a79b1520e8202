//! Runs: one row and one locked file a process, so that what a dead process left open can be told from what a living
//! one is doing. The lock goes with the process, whatever ended it.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::calls::{OpenCall, open_calls};
use super::history::{self, Kept, Texts};
use super::record::insert_record;
use super::{Store, disk};
use crate::clock;
use crate::error::{HostError, Result};
use crate::ledger::Entry;
use crate::view::{CallRef, Ending};

/// The run of this process.
#[derive(Debug)]
pub struct Run {
    id: i64,
    lock: PathBuf,
    /// Held, never read: the system drops the lock with the process.
    _held: File,
}

impl Run {
    /// Takes a number and locks its file.
    pub(super) fn begin(db: &Connection, folder: &Path) -> Result<Self> {
        let refused = |e: rusqlite::Error| HostError::Storage {
            what: "the list of runs".into(),
            reason: e.to_string(),
        };
        // The row is seen by others only when the lock is held, so that nobody takes a run that begins for a dead one.
        let transaction = Transaction::new_unchecked(db, TransactionBehavior::Immediate).map_err(refused)?;
        transaction
            .execute(
                "INSERT INTO runs (pid, started_at) VALUES (?1, ?2)",
                params![std::process::id(), clock::now() as i64],
            )
            .map_err(refused)?;
        let id = transaction.last_insert_rowid();
        let lock = lock_file(folder, id);
        let held = disk::private_file(&lock)?;
        held.try_lock().map_err(|e| HostError::Storage {
            what: lock.display().to_string(),
            reason: e.to_string(),
        })?;
        transaction.commit().map_err(refused)?;
        Ok(Self { id, lock, _held: held })
    }

    /// Its number.
    pub fn id(&self) -> i64 {
        self.id
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        disk::remove(&self.lock);
    }
}

impl Store {
    /// Numbers of runs whose process is gone.
    ///
    /// # Errors
    /// The database refused.
    pub fn dead_runs(&self, folder: &Path) -> Result<Vec<i64>> {
        let all: Vec<i64> = self.read("the list of runs", |db| {
            db.prepare_cached("SELECT id FROM runs WHERE id <> ?1")?
                .query_map([self.run()], |row| row.get(0))?
                .collect()
        })?;
        Ok(all.into_iter().filter(|id| is_dead(&lock_file(folder, *id))).collect())
    }

    /// Ends this run in order: nothing of it is open any more, and its session grants are gone.
    ///
    /// # Errors
    /// The database refused; the next start cleans up then.
    pub fn end_run(&self) -> Result<()> {
        self.write("the list of runs", |db| {
            db.execute("DELETE FROM runs WHERE id = ?1", [self.run()])
        })
        .map(drop)
    }

    /// Takes over what a dead run left, in one transaction: its open calls are written down by `rows` and the run, its
    /// session grants and its calls are gone. Where another process was faster, there is nothing to take.
    ///
    /// # Errors
    /// The database refused; nothing was taken.
    pub fn bury_run(&self, folder: &Path, id: i64, rows: impl Fn(i64, &OpenCall) -> Entry) -> Result<Vec<OpenCall>> {
        let calls = self.write("the list of runs", |db| {
            let calls = open_calls(db, id)?;
            if db.execute("DELETE FROM runs WHERE id = ?1", [id])? == 0 {
                return Ok(Vec::new());
            }
            for call in &calls {
                insert_record(db, &rows(id, call))?;
                if call.kept {
                    history::insert(db, &abandoned(id, call))?;
                }
            }
            Ok(calls)
        })?;
        disk::remove(&lock_file(folder, id));
        Ok(calls)
    }
}

/// A call that a run left open, as the history shows it. What was asked in it went with the run.
fn abandoned(run: i64, call: &OpenCall) -> Kept {
    Kept {
        call: CallRef {
            run: run as u64,
            number: call.call,
        },
        at: call.started_at,
        took_ms: None,
        server: call.server.clone(),
        fingerprint: call.fingerprint.clone(),
        method: call.method.clone(),
        target: call.target.clone(),
        ending: Ending::Abandoned,
        message: Some("Gatehouse ended before it did. Nothing more was sent.".into()),
        rounds: 1,
        texts: Texts {
            args: call.args.clone(),
            asked: "[]".into(),
            ..Texts::default()
        },
    }
}

fn lock_file(folder: &Path, id: i64) -> PathBuf {
    folder.join(format!("{id}.lock"))
}

/// A run lives as long as somebody else holds its lock. A missing file is a run that ended in order.
fn is_dead(lock: &Path) -> bool {
    if !lock.exists() {
        return true;
    }
    match disk::private_file(lock).map(|file| file.try_lock()) {
        Ok(Ok(())) => true,
        Ok(Err(TryLockError::WouldBlock)) => false,
        Ok(Err(TryLockError::Error(_))) | Err(_) => false,
    }
}
