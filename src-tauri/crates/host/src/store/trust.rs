//! Rows of the definitions that the person has seen and allowed.

use rusqlite::{OptionalExtension, params};

use super::Store;
use crate::clock;
use crate::error::Result;
use crate::server::{Definition, Fingerprint};

const WHAT: &str = "the list of allowed servers";

impl Store {
    /// True when the definition with this fingerprint was allowed.
    ///
    /// # Errors
    /// The database refused.
    pub fn is_trusted(&self, fingerprint: &Fingerprint) -> Result<bool> {
        self.read(WHAT, |db| {
            db.prepare_cached("SELECT 1 FROM trust WHERE fingerprint = ?1")?
                .exists([fingerprint.as_str()])
        })
    }

    /// The definition that was last allowed under a name.
    ///
    /// # Errors
    /// The database refused.
    pub fn last_trusted(&self, server: &str) -> Result<Option<Definition>> {
        let text: Option<String> = self.read(WHAT, |db| {
            db.prepare_cached(
                "SELECT definition FROM trust WHERE server = ?1 ORDER BY given_at DESC, rowid DESC LIMIT 1",
            )?
            .query_row([server], |row| row.get(0))
            .optional()
        })?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Remembers a definition as seen and allowed.
    ///
    /// # Errors
    /// The database refused.
    pub fn trust(&self, definition: &Definition) -> Result<()> {
        let text = serde_json::to_string(definition).expect("a definition serialises");
        self.write(WHAT, |db| {
            db.execute(
                "INSERT OR REPLACE INTO trust (fingerprint, server, definition, given_at) VALUES (?1, ?2, ?3, ?4)",
                params![
                    definition.fingerprint().as_str(),
                    definition.name,
                    text,
                    clock::now() as i64
                ],
            )
        })
        .map(drop)
    }
}
