//! Small settings: a scope (a server's name, a fingerprint, nothing for the app), a key, a value.

use rusqlite::{OptionalExtension, params};

use super::Store;
use crate::error::Result;
use crate::view::EndpointSettings;

const WHAT: &str = "the settings";
/// The scope of the app's own settings, and the key of the model endpoint there.
const APP: &str = "";
const ENDPOINT: &str = "model-endpoint";

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

    /// Every key and value of `scope`.
    ///
    /// # Errors
    /// The database refused.
    pub fn settings_of(&self, scope: &str) -> Result<Vec<(String, String)>> {
        self.read(WHAT, |db| {
            db.prepare_cached("SELECT key, value FROM settings WHERE scope = ?1")?
                .query_map([scope], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }

    /// Keeps several values of `scope`, all or none.
    ///
    /// # Errors
    /// The database refused.
    pub fn keep_settings(&self, scope: &str, changes: &[(String, String)]) -> Result<()> {
        self.write(WHAT, |db| {
            let mut keep = db.prepare("INSERT OR REPLACE INTO settings (scope, key, value) VALUES (?1, ?2, ?3)")?;
            for (key, value) in changes {
                keep.execute(params![scope, key, value])?;
            }
            Ok(())
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

    /// The person's choice of a model endpoint; none where they made none, or it can't be read.
    ///
    /// # Errors
    /// The database refused.
    pub fn endpoint(&self) -> Result<Option<EndpointSettings>> {
        let text = self.setting(APP, ENDPOINT)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Keeps the choice of a model endpoint. Its key is kept elsewhere.
    ///
    /// # Errors
    /// The database refused.
    pub fn keep_endpoint(&self, settings: &EndpointSettings) -> Result<()> {
        let text = serde_json::to_string(settings).expect("settings serialise");
        self.keep_setting(APP, ENDPOINT, &text)
    }
}
