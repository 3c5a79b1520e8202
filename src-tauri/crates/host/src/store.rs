//! The database and the disk: the only modules that touch either. Rows in, rows out; no decisions.
//!
//! One SQLite file in WAL mode with `synchronous=FULL`, so that what was committed survives `kill -9` and a power cut.
//! The window and a command may use it at the same time.

pub mod bell;
pub mod calls;
pub mod disk;
pub mod grants;
pub mod history;
mod memo;
pub mod record;
pub mod roots;
pub mod runs;
pub mod settings;
pub mod tools;
pub mod trust;

use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use crate::error::{HostError, Result};
use crate::places::Places;

/// The open database, and the lock that says that this process lives.
#[derive(Debug)]
pub struct Store {
    /// Reads do not wait for a write, of this process or another. Closed first: the other one tidies up.
    reader: Mutex<Connection>,
    db: Mutex<Connection>,
    run: runs::Run,
    bell: bell::Bell,
    /// Touched only while the database is held.
    memo: Mutex<memo::Memo>,
}

impl Store {
    /// Opens (and makes, on the first start) the database, and takes a run number for this process.
    ///
    /// # Errors
    /// The folder or the file can't be made, read or locked, or was written by a newer Gatehouse.
    pub fn open(places: &Places) -> Result<Self> {
        disk::private_folder(places.data())?;
        disk::private_folder(&places.runs())?;
        let bell = bell::Bell::hang(&places.bell())?;
        let path = places.database();
        disk::private_file(&path)?;
        let mut db = Connection::open(&path).map_err(|e| refused(&path, &e))?;
        prepare(&mut db).map_err(|e| refused(&path, &e))?;
        let version: i64 = db
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|e| refused(&path, &e))?;
        if version > SCHEMAS.len() as i64 {
            return Err(HostError::Storage {
                what: path.display().to_string(),
                reason: "it was written by a newer Gatehouse; nothing was changed. Start that one".into(),
            });
        }
        let run = runs::Run::begin(&db, &places.runs())?;
        let reader = reader(&path).map_err(|e| refused(&path, &e))?;
        Ok(Self {
            reader: Mutex::new(reader),
            db: Mutex::new(db),
            run,
            bell,
            memo: Mutex::default(),
        })
    }

    /// The number of this process's run.
    pub fn run(&self) -> i64 {
        self.run.id()
    }

    /// True when another process wrote to the database since this was last asked with the same `seen`.
    pub fn changed_elsewhere(&self, seen: &mut i64) -> bool {
        let now = data_version(&self.db()).unwrap_or(*seen);
        std::mem::replace(seen, now) != now
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        self.db.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Runs `work` in one transaction that is durable when this returns.
    fn write<T>(&self, what: &str, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        self.commit(what, true, work)
    }

    /// The same, for work that only adds rows that nothing is decided by: what is remembered of the others stays good.
    fn append<T>(&self, what: &str, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        self.commit(what, false, work)
    }

    fn commit<T>(&self, what: &str, forget: bool, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let mut db = self.db();
        if forget {
            self.forget();
        }
        let result = db
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                let value = work(&transaction)?;
                transaction.commit()?;
                Ok(value)
            });
        let value = result.map_err(|e| HostError::Storage {
            what: what.to_owned(),
            reason: e.to_string(),
        })?;
        self.bell.written();
        Ok(value)
    }

    /// Runs `work` over what decisions hang on, in turn with the writes of this process, and with what is remembered of it.
    fn read_in_turn<T>(&self, what: &str, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.db()).map_err(|e| HostError::Storage {
            what: what.to_owned(),
            reason: e.to_string(),
        })
    }

    /// Runs `work` over what is committed.
    fn read<T>(&self, what: &str, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let db = self.reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        work(&db).map_err(|e| HostError::Storage {
            what: what.to_owned(),
            reason: e.to_string(),
        })
    }
}

/// Changes when another process commits, not when this one does.
fn data_version(db: &Connection) -> rusqlite::Result<i64> {
    db.prepare_cached("PRAGMA data_version")?
        .query_row([], |row| row.get(0))
}

fn refused(path: &Path, error: &rusqlite::Error) -> HostError {
    HostError::Storage {
        what: path.display().to_string(),
        reason: error.to_string(),
    }
}

fn reader(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(10))?;
    db.pragma_update(None, "query_only", true)?;
    db.set_prepared_statement_cache_capacity(64);
    Ok(db)
}

fn prepare(db: &mut Connection) -> rusqlite::Result<()> {
    db.busy_timeout(Duration::from_secs(10))?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    db.set_prepared_statement_cache_capacity(64);
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: usize = transaction
        .query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
        .map(|v| v.max(0) as usize)?;
    for (at, schema) in SCHEMAS.iter().enumerate().skip(version) {
        transaction.execute_batch(schema)?;
        transaction.pragma_update(None, "user_version", (at + 1) as i64)?;
    }
    transaction.commit()
}

/// The schema, one step a version. A step that was released is never edited.
const SCHEMAS: [&str; 4] = [
    "
CREATE TABLE workspaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, active INTEGER NOT NULL DEFAULT 0);
INSERT INTO workspaces (id, name, active) VALUES (1, 'Default', 1);
CREATE TABLE roots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace INTEGER NOT NULL REFERENCES workspaces (id),
    position INTEGER NOT NULL,
    path BLOB NOT NULL,
    name TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    UNIQUE (workspace, path)
);
CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, started_at INTEGER NOT NULL);
CREATE TABLE grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fingerprint TEXT NOT NULL,
    server TEXT NOT NULL,
    root INTEGER REFERENCES roots (id) ON DELETE CASCADE,
    target BLOB,
    allow INTEGER NOT NULL,
    run INTEGER REFERENCES runs (id) ON DELETE CASCADE,
    given_at INTEGER NOT NULL
);
CREATE INDEX grants_by_fingerprint ON grants (fingerprint);
CREATE TABLE trust (
    fingerprint TEXT PRIMARY KEY,
    server TEXT NOT NULL,
    definition TEXT NOT NULL,
    given_at INTEGER NOT NULL
);
CREATE TABLE record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    server TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    channel TEXT NOT NULL,
    occasion TEXT,
    round INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    folders TEXT NOT NULL,
    withheld TEXT NOT NULL,
    sent TEXT,
    note TEXT
);
CREATE INDEX record_by_server ON record (server);
CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    call INTEGER NOT NULL,
    server TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    occasion TEXT NOT NULL,
    started_at INTEGER NOT NULL
);
CREATE TABLE settings (scope TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (scope, key));
",
    // What a tool said of itself when the person last called it.
    "CREATE TABLE tools (
    fingerprint TEXT NOT NULL,
    tool TEXT NOT NULL,
    said TEXT NOT NULL,
    PRIMARY KEY (fingerprint, tool)
);
",
    // What a grant is about: roots, or a model's answers (`sampling`).
    "ALTER TABLE grants ADD COLUMN about TEXT NOT NULL DEFAULT 'roots';",
    // The history of calls, and which call a row of the record belongs to.
    "
ALTER TABLE record ADD COLUMN run INTEGER;
ALTER TABLE record ADD COLUMN call INTEGER;
CREATE INDEX record_by_call ON record (run, call) WHERE call IS NOT NULL;
ALTER TABLE calls ADD COLUMN method TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN target TEXT NOT NULL DEFAULT '';
ALTER TABLE calls ADD COLUMN args TEXT;
ALTER TABLE calls ADD COLUMN args_bytes INTEGER;
ALTER TABLE calls ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;
CREATE TABLE history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL,
    call INTEGER NOT NULL,
    at INTEGER NOT NULL,
    took_ms INTEGER,
    server TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    method TEXT NOT NULL,
    target TEXT NOT NULL,
    ending TEXT NOT NULL,
    message TEXT,
    rounds INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    UNIQUE (run, call)
);
CREATE INDEX history_by_target ON history (server, method, target, seq);
CREATE TABLE history_texts (
    seq INTEGER PRIMARY KEY REFERENCES history (seq) ON DELETE CASCADE,
    args_bytes INTEGER,
    args TEXT,
    asked TEXT NOT NULL,
    mismatch TEXT,
    result_bytes INTEGER,
    result TEXT
);
",
];
