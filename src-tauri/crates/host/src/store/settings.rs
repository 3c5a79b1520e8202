//! Small settings: a scope (a server's name, a fingerprint), a key, a value.

use rusqlite::{OptionalExtension, params};

use super::Store;
use crate::error::Result;

const WHAT: &str = "the settings";

impl Store {
    /// The value at `key` in `scope`.
    ///
    /// # Errors
    /// The database refused.
    pub fn setting(&self, scope: &str, key: &str) -> Result<Option<String>> {
        self.read(WHAT, |db| {
            db.prepare_cached("SELECT value FROM settings WHERE scope = ?1 AND key = ?2")?
                .query_row(params![scope, key], |row| row.get(0))
                .optional()
        })
    }

    /// Keeps a value.
    ///
    /// # Errors
    /// The database refused.
    pub fn keep_setting(&self, scope: &str, key: &str, value: &str) -> Result<()> {
        self.write(WHAT, |db| {
            db.execute(
                "INSERT OR REPLACE INTO settings (scope, key, value) VALUES (?1, ?2, ?3)",
                params![scope, key, value],
            )
        })
        .map(drop)
    }
}
