//! Rows of calls under way, so that a call that a crash cut off is known at the next start. Ended calls leave no row.

use rusqlite::{Connection, params};

use super::Store;
use crate::error::Result;

const WHAT: &str = "the list of calls under way";

/// A call under way as it is noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCall {
    /// Its number in its run.
    pub call: u64,
    /// The server.
    pub server: String,
    /// The server's fingerprint.
    pub fingerprint: String,
    /// Method and target.
    pub occasion: String,
    /// When it began.
    pub started_at: u64,
    /// The protocol's method.
    pub method: String,
    /// The tool, prompt or resource, as it is called.
    pub target: String,
    /// Its arguments, and how many bytes they had; none where they are not to be kept.
    pub args: Option<(String, u64)>,
    /// Whether the history keeps the calls of its server.
    pub kept: bool,
}

impl Store {
    /// Notes calls that began and forgets calls that ended, in one transaction.
    ///
    /// # Errors
    /// The database refused.
    pub fn note_calls(&self, began: &[OpenCall], ended: &[u64]) -> Result<()> {
        self.append(WHAT, |db| {
            for call in began {
                db.prepare_cached(
                    "INSERT INTO calls (run, call, server, fingerprint, occasion, started_at, method, target, args, args_bytes, kept)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                )?
                .execute(params![
                    self.run(),
                    call.call as i64,
                    call.server,
                    call.fingerprint,
                    call.occasion,
                    call.started_at as i64,
                    call.method,
                    call.target,
                    call.args.as_ref().map(|(text, _)| text),
                    call.args.as_ref().map(|(_, bytes)| *bytes as i64),
                    call.kept,
                ])?;
            }
            for call in ended {
                db.prepare_cached("DELETE FROM calls WHERE run = ?1 AND call = ?2")?.execute(params![self.run(), *call as i64])?;
            }
            Ok(())
        })
    }
}

/// Calls that a run left open.
pub(super) fn open_calls(db: &Connection, run: i64) -> rusqlite::Result<Vec<OpenCall>> {
    db.prepare_cached(
        "SELECT call, server, fingerprint, occasion, started_at, method, target, args, args_bytes, kept FROM calls WHERE run = ?1 ORDER BY id",
    )?
        .query_map([run], |row| {
            Ok(OpenCall {
                call: row.get::<_, i64>(0)? as u64,
                server: row.get(1)?,
                fingerprint: row.get(2)?,
                occasion: row.get(3)?,
                started_at: row.get::<_, i64>(4)? as u64,
                method: row.get(5)?,
                target: row.get(6)?,
                args: row
                    .get::<_, Option<String>>(7)?
                    .zip(row.get::<_, Option<i64>>(8)?.map(|bytes| bytes as u64)),
                kept: row.get(9)?,
            })
        })?
        .collect()
}
