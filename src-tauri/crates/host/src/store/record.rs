//! Rows of the record. Rows are added, never changed.

use rusqlite::{Connection, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Store;
use crate::clock;
use crate::error::{HostError, Result};
use crate::grant::NewGrant;
use crate::ledger::Entry;
use crate::server::Fingerprint;
use crate::view::{CallRef, DecidedBy, Outcome, RecordRow};

const WHAT: &str = "the record";
/// The columns that [`row_view`] reads.
pub(super) const COLUMNS: &str = "seq, at, server, fingerprint, channel, occasion, round, outcome, decided_by, folders, withheld, sent, note, run, call";

impl Store {
    /// Adds rows, and the grants that were given with them, in one durable transaction.
    ///
    /// # Errors
    /// The database refused; nothing was added.
    pub fn add_record(&self, entries: &[Entry], grants: &[NewGrant]) -> Result<()> {
        let work = |db: &Connection| {
            // What a grant decided a moment ago leaves only while the grant still stands, whoever revoked it meanwhile.
            for entry in entries {
                if !self.still_stands(db, entry)? {
                    return Ok(false);
                }
            }
            for new in grants {
                self.give_one(db, new)?;
            }
            for entry in entries {
                insert_record(db, entry)?;
            }
            Ok(true)
        };
        let stands = if grants.is_empty() {
            self.append(WHAT, work)
        } else {
            self.write(WHAT, work)
        }?;
        match entries.first() {
            Some(entry) if !stands => Err(HostError::Withdrawn {
                server: entry.asker.server.clone(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// True unless an entry lets something leave by grants of which one is gone, or beside a newer "never".
    fn still_stands(&self, db: &Connection, entry: &Entry) -> rusqlite::Result<bool> {
        let (about, ids) = match (entry.outcome, &entry.decided_by) {
            (Outcome::Shared, DecidedBy::Grants { ids }) => ("roots", ids),
            (Outcome::Sampled | Outcome::ModelAsked, DecidedBy::Grants { ids }) => ("sampling", ids),
            _ => return Ok(true),
        };
        let counts = format!("fingerprint = ?1 AND (run IS NULL OR run = ?2) AND about = '{about}'");
        let never = format!("SELECT 1 FROM grants WHERE {counts} AND root IS NULL AND allow = 0");
        if db
            .prepare_cached(&never)?
            .exists(params![entry.asker.fingerprint.as_str(), self.run()])?
        {
            return Ok(false);
        }
        let mut one = db.prepare_cached(&format!(
            "SELECT 1 FROM grants WHERE {counts} AND id = ?3 AND allow = 1"
        ))?;
        for id in ids {
            if !one.exists(params![entry.asker.fingerprint.as_str(), self.run(), *id as i64])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Rows older than `before` (all where none) and not older than `since`, newest first, at most `limit`.
    ///
    /// # Errors
    /// The database refused.
    pub fn record(&self, before: Option<u64>, since: Option<u64>, limit: u64) -> Result<Vec<RecordRow>> {
        self.read(WHAT, |db| {
            db.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM record WHERE seq < ?1 AND at >= ?2 ORDER BY seq DESC LIMIT ?3"
            ))?
            .query_map(
                params![
                    before.map_or(i64::MAX, |seq| seq as i64),
                    since.unwrap_or(0) as i64,
                    limit.min(100_000) as i64
                ],
                row_view,
            )?
            .collect()
        })
    }

    /// Whether a definition stands in the record, and whether its name does.
    ///
    /// # Errors
    /// The database refused.
    pub fn asked_before(&self, server: &str, fingerprint: &Fingerprint) -> Result<(bool, bool)> {
        self.read(WHAT, |db| {
            let mut exists =
                db.prepare_cached("SELECT 1 FROM record WHERE server = ?1 AND (fingerprint = ?2 OR ?3) LIMIT 1")?;
            let this = exists.exists(params![server, fingerprint.as_str(), false])?;
            Ok((
                this,
                this || exists.exists(params![server, fingerprint.as_str(), true])?,
            ))
        })
    }

    /// Number of the newest row; 0 for none.
    ///
    /// # Errors
    /// The database refused.
    pub fn newest_record(&self) -> Result<u64> {
        self.read(WHAT, |db| {
            db.query_row("SELECT COALESCE(MAX(seq), 0) FROM record", [], |row| {
                row.get::<_, i64>(0)
            })
        })
        .map(|seq| seq as u64)
    }
}

/// Adds one row.
pub(super) fn insert_record(db: &Connection, entry: &Entry) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO record (at, server, fingerprint, channel, occasion, round, outcome, decided_by, folders, withheld, sent, note, run, call)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute(params![
        clock::now() as i64,
        entry.asker.server,
        entry.asker.fingerprint.as_str(),
        entry.channel.as_str(),
        entry.occasion,
        entry.round as i64,
        json(&entry.outcome),
        json(&entry.decided_by),
        json(&entry.folders),
        json(&entry.withheld),
        entry.sent.as_ref().map(|raw| raw.get()),
        entry.note,
        entry.call.map(|call| call.run as i64),
        entry.call.map(|call| call.number as i64),
    ])
    .map(drop)
}

pub(super) fn row_view(row: &Row<'_>) -> rusqlite::Result<RecordRow> {
    let fingerprint: String = row.get(3)?;
    let call: (Option<i64>, Option<i64>) = (row.get(13)?, row.get(14)?);
    Ok(RecordRow {
        seq: row.get::<_, i64>(0)? as u64,
        at: clock::rfc3339(row.get::<_, i64>(1)? as u64),
        server: row.get(2)?,
        fingerprint: fingerprint.chars().take(12).collect(),
        channel: row.get(4)?,
        occasion: row.get(5)?,
        round: row.get::<_, i64>(6)? as u64,
        outcome: parsed(row, 7)?,
        decided_by: parsed(row, 8)?,
        folders: parsed(row, 9)?,
        withheld: parsed(row, 10)?,
        sent: row.get(11)?,
        note: row.get(12)?,
        call: call.0.zip(call.1).map(|(run, number)| CallRef {
            run: run as u64,
            number: number as u64,
        }),
    })
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("parts of the record serialise")
}

fn parsed<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let text: String = row.get(at)?;
    serde_json::from_str(&text)
        .map_err(|e| rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Text, Box::new(e)))
}
