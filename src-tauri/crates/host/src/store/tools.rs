//! Rows of what tools said of themselves when the person last called them.

use std::collections::HashMap;

use rusqlite::params;

use super::Store;
use crate::error::Result;
use crate::server::Fingerprint;

const WHAT: &str = "what tools said before";

impl Store {
    /// What each tool of a definition said when it was last called, by its name.
    ///
    /// # Errors
    /// The database refused.
    pub fn tools_said(&self, fingerprint: &Fingerprint) -> Result<HashMap<String, String>> {
        self.read(WHAT, |db| {
            db.prepare_cached("SELECT tool, said FROM tools WHERE fingerprint = ?1")?
                .query_map([fingerprint.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }

    /// Keeps what a tool says now. Says whether that is another thing than before.
    ///
    /// # Errors
    /// The database refused.
    pub fn keep_tool_said(&self, fingerprint: &Fingerprint, tool: &str, said: &str) -> Result<bool> {
        let known = self.read(WHAT, |db| {
            db.prepare_cached("SELECT 1 FROM tools WHERE fingerprint = ?1 AND tool = ?2 AND said = ?3")?
                .exists([fingerprint.as_str(), tool, said])
        })?;
        if known {
            return Ok(false);
        }
        self.write(WHAT, |db| {
            let before = db
                .prepare_cached("SELECT 1 FROM tools WHERE fingerprint = ?1 AND tool = ?2")?
                .exists([fingerprint.as_str(), tool])?;
            db.execute(
                "INSERT OR REPLACE INTO tools (fingerprint, tool, said) VALUES (?1, ?2, ?3)",
                params![fingerprint.as_str(), tool, said],
            )?;
            Ok(before)
        })
    }
}
