//! Rows of the history: calls that ended, with their arguments, what was asked, and what came back. Bounded; the oldest go
//! first. What was answered stands in the record and is not copied.

use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::Store;
use super::record::{COLUMNS as RECORD_COLUMNS, row_view as record_view};
use crate::bounds;
use crate::clock;
use crate::error::{HostError, Result};
use crate::harmless;
use crate::view::{CallRef, Ending, HistoryRow, RecordRow};

const WHAT: &str = "the history of calls";
const COLUMNS: &str = "seq, run, call, at, took_ms, server, fingerprint, method, target, ending, message, rounds";

/// A call to be kept.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The number by which the record knows it.
    pub call: CallRef,
    /// When it began, in milliseconds since 1970.
    pub at: u64,
    /// How long it took in milliseconds; none where that is not known.
    pub took_ms: Option<u64>,
    /// The server.
    pub server: String,
    /// Its fingerprint.
    pub fingerprint: String,
    /// The protocol's method.
    pub method: String,
    /// The tool, prompt or resource, as it was called.
    pub target: String,
    /// How it ended.
    pub ending: Ending,
    /// More on that, in words.
    pub message: Option<String>,
    /// How many rounds it took.
    pub rounds: u64,
    /// The texts.
    pub texts: Texts,
}

/// The texts of a kept call, each up to its bound.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// The arguments, and how many bytes they had.
    pub args: Option<(String, u64)>,
    /// What was asked, as JSON.
    pub asked: String,
    /// The result, and how many bytes it had.
    pub result: Option<(String, u64)>,
    /// How structured content missed its schema, as JSON.
    pub mismatch: Option<String>,
}

/// Which calls are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// One, by its number in the history.
    One(u64),
    /// Those of one server.
    Server(String),
    /// All.
    All,
}

/// What of the history is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// Only calls with a smaller number.
    pub before: Option<u64>,
    /// Only calls that began then or later, in milliseconds since 1970.
    pub since: Option<u64>,
    /// Only calls of this server.
    pub server: Option<String>,
    /// Only calls whose server, target, end or beginning of arguments hold these words.
    pub words: Option<String>,
    /// How many at most.
    pub limit: u64,
}

impl Texts {
    fn bytes(&self) -> usize {
        let length = |text: &Option<(String, u64)>| text.as_ref().map_or(0, |(text, _)| text.len());
        length(&self.args) + self.asked.len() + length(&self.result) + self.mismatch.as_ref().map_or(0, String::len)
    }
}

impl Store {
    /// Adds calls, and lets the oldest go where there are more than `most` or more bytes than the bound.
    ///
    /// # Errors
    /// The database refused; nothing was added.
    pub fn add_history(&self, calls: &[Kept], most: u64) -> Result<()> {
        self.append(WHAT, |db| {
            for call in calls {
                insert(db, call)?;
            }
            bound(db, most)
        })
    }

    /// Lines of the history, newest first.
    ///
    /// # Errors
    /// The database refused.
    pub fn history(&self, look: &Look) -> Result<Vec<HistoryRow>> {
        let mut sql = format!("SELECT {COLUMNS} FROM history WHERE seq < ? AND at >= ?");
        let mut values: Vec<rusqlite::types::Value> = vec![
            look.before.map_or(i64::MAX, |seq| seq as i64).into(),
            (look.since.unwrap_or(0) as i64).into(),
        ];
        if let Some(server) = &look.server {
            sql.push_str(" AND server = ?");
            values.push(server.clone().into());
        }
        if let Some(words) = &look.words {
            sql.push_str(
                " AND (instr(lower(server || ' ' || method || ' ' || target || ' ' || ending || ' ' || coalesce(message, '')), ?) > 0
                  OR instr((SELECT lower(substr(args, 1, 4000)) FROM history_texts t WHERE t.seq = history.seq), ?) > 0)",
            );
            let words = words.to_ascii_lowercase();
            values.extend([words.clone().into(), words.into()]);
        }
        sql.push_str(" ORDER BY seq DESC LIMIT ?");
        values.push((look.limit.min(100_000) as i64).into());
        self.read(WHAT, |db| {
            db.prepare_cached(&sql)?
                .query_map(params_from_iter(values), line)?
                .collect()
        })
    }

    /// One call with its texts; none where it is not kept.
    ///
    /// # Errors
    /// The database refused.
    pub fn history_call(&self, seq: u64) -> Result<Option<(HistoryRow, Texts)>> {
        self.read(WHAT, |db| {
            let line = db
                .prepare_cached(&format!("SELECT {COLUMNS} FROM history WHERE seq = ?1"))?
                .query_row([seq as i64], line)
                .optional()?;
            let Some(line) = line else { return Ok(None) };
            let texts = db
                .prepare_cached(
                    "SELECT args, args_bytes, asked, mismatch, result, result_bytes FROM history_texts WHERE seq = ?1",
                )?
                .query_row([seq as i64], texts)?;
            Ok(Some((line, texts)))
        })
    }

    /// The number in the history of a call that the record names.
    ///
    /// # Errors
    /// The database refused.
    pub fn history_of(&self, call: CallRef) -> Result<Option<u64>> {
        self.read(WHAT, |db| {
            db.prepare_cached("SELECT seq FROM history WHERE run = ?1 AND call = ?2")?
                .query_row(params![call.run as i64, call.number as i64], |row| row.get::<_, i64>(0))
                .optional()
        })
        .map(|seq| seq.map(|seq| seq as u64))
    }

    /// The rows of the record that belong to a call, oldest first.
    ///
    /// # Errors
    /// The database refused.
    pub fn record_of(&self, call: CallRef) -> Result<Vec<RecordRow>> {
        self.read("the record", |db| {
            db.prepare_cached(&format!(
                "SELECT {RECORD_COLUMNS} FROM record WHERE run = ?1 AND call = ?2 ORDER BY seq"
            ))?
            .query_map(params![call.run as i64, call.number as i64], record_view)?
            .collect()
        })
    }

    /// The newest arguments that a target was called with, each once, newest first. Those that were cut are left out.
    ///
    /// # Errors
    /// The database refused.
    pub fn recent_args(&self, server: &str, method: &str, target: &str, most: usize) -> Result<Vec<String>> {
        self.read(WHAT, |db| {
            let mut found: Vec<String> = Vec::new();
            let mut statement = db.prepare_cached(
                "SELECT t.args FROM history h JOIN history_texts t USING (seq)
                 WHERE h.server = ?1 AND h.method = ?2 AND h.target = ?3 AND t.args_bytes <= ?4 AND length(CAST(t.args AS BLOB)) = t.args_bytes
                 ORDER BY h.seq DESC LIMIT 200",
            )?;
            let mut rows = statement.query(params![server, method, target, bounds::HISTORY_RECENT_BYTES as i64])?;
            while let Some(row) = rows.next()? {
                let args: String = row.get(0)?;
                if !found.contains(&args) {
                    found.push(args);
                }
                if found.len() == most {
                    break;
                }
            }
            Ok(found)
        })
    }

    /// Lets calls go, for good: what they held is overwritten in the file. Gives how many they were.
    ///
    /// # Errors
    /// The database refused; nothing is gone.
    pub fn clear_history(&self, which: &Which) -> Result<u64> {
        let gone = self.overwriting(|| {
            self.append(WHAT, |db| match which {
                Which::One(seq) => db.execute("DELETE FROM history WHERE seq = ?1", [*seq as i64]),
                Which::Server(server) => db.execute("DELETE FROM history WHERE server = ?1", [server]),
                Which::All => db.execute("DELETE FROM history", []),
            })
        })?;
        Ok(gone as u64)
    }

    /// Number of the newest call, and how many there are.
    ///
    /// # Errors
    /// The database refused.
    pub fn history_size(&self) -> Result<(u64, u64)> {
        self.read(WHAT, |db| {
            db.query_row("SELECT COALESCE(MAX(seq), 0), COUNT(*) FROM history", [], |row| {
                Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64))
            })
        })
    }

    /// Deletes within `work` leave zeros in the file, and the log of changes before it is emptied where nobody reads in it.
    fn overwriting<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.pragma("PRAGMA secure_delete = ON")?;
        let done = work();
        self.pragma("PRAGMA secure_delete = OFF")?;
        let done = done?;
        self.pragma("PRAGMA wal_checkpoint(TRUNCATE)")?;
        Ok(done)
    }

    fn pragma(&self, sql: &str) -> Result<()> {
        let done = self.db().query_row(sql, [], |_| Ok(())).optional();
        done.map(drop).map_err(|e| HostError::Storage {
            what: WHAT.into(),
            reason: e.to_string(),
        })
    }
}

/// Adds one call, unless it is there: a call that ended and was written down is not abandoned by a crash after that.
pub(super) fn insert(db: &Connection, call: &Kept) -> rusqlite::Result<()> {
    let texts = &call.texts;
    let added = db
        .prepare_cached(
            "INSERT OR IGNORE INTO history (run, call, at, took_ms, server, fingerprint, method, target, ending, message, rounds, bytes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            call.call.run as i64,
            call.call.number as i64,
            call.at as i64,
            call.took_ms.map(|ms| ms as i64),
            call.server,
            call.fingerprint,
            call.method,
            call.target,
            word(call.ending),
            call.message,
            call.rounds as i64,
            texts.bytes() as i64,
        ])?;
    if added == 0 {
        return Ok(());
    }
    db.prepare_cached(
        "INSERT INTO history_texts (seq, args_bytes, args, asked, mismatch, result_bytes, result) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        db.last_insert_rowid(),
        texts.args.as_ref().map(|(_, bytes)| *bytes as i64),
        texts.args.as_ref().map(|(text, _)| text),
        texts.asked,
        texts.mismatch,
        texts.result.as_ref().map(|(_, bytes)| *bytes as i64),
        texts.result.as_ref().map(|(text, _)| text),
    ])
    .map(drop)
}

/// Lets the oldest go until there are at most `most`, of at most so many bytes.
fn bound(db: &Connection, most: u64) -> rusqlite::Result<()> {
    let oldest: Option<i64> = db
        .prepare_cached("SELECT seq FROM history ORDER BY seq DESC LIMIT 1 OFFSET ?1")?
        .query_row([most.min(i64::MAX as u64) as i64], |row| row.get(0))
        .optional()?;
    if let Some(oldest) = oldest {
        db.execute("DELETE FROM history WHERE seq <= ?1", [oldest])?;
    }
    let total: i64 = db
        .prepare_cached("SELECT COALESCE(SUM(bytes), 0) FROM history")?
        .query_row([], |row| row.get(0))?;
    let mut over = total - bounds::HISTORY_BYTES as i64;
    if over <= 0 {
        return Ok(());
    }
    let mut last = 0;
    let mut statement = db.prepare_cached("SELECT seq, bytes FROM history ORDER BY seq")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if over <= 0 {
            break;
        }
        last = row.get(0)?;
        over -= row.get::<_, i64>(1)?;
    }
    db.execute("DELETE FROM history WHERE seq <= ?1", [last]).map(drop)
}

fn line(row: &Row<'_>) -> rusqlite::Result<HistoryRow> {
    let (fingerprint, target): (String, String) = (row.get(6)?, row.get(8)?);
    let ending: String = row.get(9)?;
    Ok(HistoryRow {
        seq: row.get::<_, i64>(0)? as u64,
        call: CallRef {
            run: row.get::<_, i64>(1)? as u64,
            number: row.get::<_, i64>(2)? as u64,
        },
        at: clock::rfc3339(row.get::<_, i64>(3)? as u64),
        took_ms: row.get::<_, Option<i64>>(4)?.map(|ms| ms as u64),
        server: row.get(5)?,
        fingerprint: fingerprint.chars().take(12).collect(),
        method: row.get(7)?,
        label: harmless::line(&target, bounds::LINE),
        target,
        ending: serde_json::from_value(ending.into())
            .map_err(|e| rusqlite::Error::FromSqlConversionFailure(9, rusqlite::types::Type::Text, Box::new(e)))?,
        message: row.get(10)?,
        rounds: row.get::<_, i64>(11)? as u64,
    })
}

fn texts(row: &Row<'_>) -> rusqlite::Result<Texts> {
    let pair = |text: usize, bytes: usize| -> rusqlite::Result<Option<(String, u64)>> {
        let text: Option<String> = row.get(text)?;
        let bytes: Option<i64> = row.get(bytes)?;
        Ok(text.zip(bytes.map(|bytes| bytes as u64)))
    };
    Ok(Texts {
        args: pair(0, 1)?,
        asked: row.get(2)?,
        mismatch: row.get(3)?,
        result: pair(4, 5)?,
    })
}

fn word(ending: Ending) -> String {
    match serde_json::to_value(ending) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(_) | Err(_) => unreachable!("an end is written as a word"),
    }
}
