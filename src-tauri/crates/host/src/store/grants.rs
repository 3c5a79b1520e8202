//! Rows of the remembered decisions. A session grant hangs on the run it was given in and counts there only.

use rusqlite::{OptionalExtension, Row, params};

use super::Store;
use super::roots::{bytes, path};
use crate::clock;
use crate::error::Result;
use crate::grant::{Covers, Effect, Grant, GrantId, NewGrant};
use crate::root::RootId;
use crate::server::Fingerprint;
use crate::view::Lifetime;

const WHAT: &str = "the remembered decisions";
const COLUMNS: &str = "id, fingerprint, server, root, target, allow, run, given_at, about";
/// The two things that grants are about, as they stand in the table.
const ROOTS: &str = "roots";
const SAMPLING: &str = "sampling";

impl Store {
    /// The grants that count in this run for a fingerprint, oldest first.
    ///
    /// # Errors
    /// The database refused.
    pub fn grants_of(&self, fingerprint: &Fingerprint) -> Result<Vec<Grant>> {
        self.read_in_turn(WHAT, |db| {
            let mut memo = self.memo(db)?;
            if let Some(grants) = memo.grants.get(fingerprint) {
                return Ok(grants.clone());
            }
            let sql = format!(
                "SELECT {COLUMNS} FROM grants WHERE fingerprint = ?1 AND (run IS NULL OR run = ?2) ORDER BY id"
            );
            let grants: Vec<Grant> = db
                .prepare_cached(&sql)?
                .query_map(params![fingerprint.as_str(), self.run()], grant)?
                .collect::<rusqlite::Result<_>>()?;
            memo.grants.insert(fingerprint.clone(), grants.clone());
            Ok(grants)
        })
    }

    /// Every grant that counts in this run, oldest first.
    ///
    /// # Errors
    /// The database refused.
    pub fn grants(&self) -> Result<Vec<Grant>> {
        let sql = format!("SELECT {COLUMNS} FROM grants WHERE run IS NULL OR run = ?1 ORDER BY id");
        self.read(WHAT, |db| {
            db.prepare_cached(&sql)?.query_map([self.run()], grant)?.collect()
        })
    }

    /// Keeps grants; an earlier grant of the same fingerprint about the same (and of the same lifetime or a shorter one) gives way to the new one.
    ///
    /// # Errors
    /// The database refused; nothing was kept.
    pub fn give(&self, grants: &[NewGrant]) -> Result<Vec<GrantId>> {
        self.write(WHAT, |db| grants.iter().map(|new| self.give_one(db, new)).collect())
    }

    pub(super) fn give_one(&self, db: &rusqlite::Connection, new: &NewGrant) -> rusqlite::Result<GrantId> {
        let (about, root) = match new.covers {
            Covers::Root(id) => (ROOTS, Some(id.0 as i64)),
            Covers::EveryRoot => (ROOTS, None),
            Covers::Sampling => (SAMPLING, None),
        };
        let run = match new.lifetime {
            Lifetime::Session => Some(self.run()),
            Lifetime::Always => None,
        };
        let target = new.target.as_deref().map(bytes);
        let allow = new.effect == Effect::Allow;
        // The same decision given again is the same grant: what another call decided by it stands.
        let same: Option<i64> = db
            .prepare_cached(
                "SELECT id FROM grants WHERE fingerprint = ?1 AND root IS ?2 AND target IS ?3 AND allow = ?4 AND run IS ?5
                 AND about = ?7 AND id = (SELECT MAX(id) FROM grants
                     WHERE fingerprint = ?1 AND root IS ?2 AND about = ?7 AND (run IS NULL OR run = ?6))",
            )?
            .query_row(params![new.fingerprint.as_str(), root, target, allow, run, self.run(), about], |row| row.get(0))
            .optional()?;
        if let Some(id) = same {
            return Ok(GrantId(id as u64));
        }
        db.execute(
            "DELETE FROM grants WHERE fingerprint = ?1 AND root IS ?2 AND about = ?5 AND (run = ?3 OR (run IS NULL AND ?4))",
            params![new.fingerprint.as_str(), root, self.run(), run.is_none(), about],
        )?;
        db.execute(
            "INSERT INTO grants (fingerprint, server, root, target, allow, run, given_at, about)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                new.fingerprint.as_str(),
                new.server,
                root,
                target,
                allow,
                run,
                clock::now() as i64,
                about
            ],
        )?;
        Ok(GrantId(db.last_insert_rowid() as u64))
    }

    /// Revokes a grant; false where there is none.
    ///
    /// # Errors
    /// The database refused.
    pub fn revoke(&self, id: GrantId) -> Result<bool> {
        self.write(WHAT, |db| db.execute("DELETE FROM grants WHERE id = ?1", [id.0 as i64]))
            .map(|n| n > 0)
    }
}

fn grant(row: &Row<'_>) -> rusqlite::Result<Grant> {
    Ok(Grant {
        id: GrantId(row.get::<_, i64>(0)? as u64),
        fingerprint: Fingerprint::stored(row.get(1)?),
        server: row.get(2)?,
        covers: match (row.get::<_, String>(8)?.as_str(), row.get::<_, Option<i64>>(3)?) {
            (SAMPLING, _) => Covers::Sampling,
            (_, Some(id)) => Covers::Root(RootId(id as u64)),
            (_, None) => Covers::EveryRoot,
        },
        target: row.get::<_, Option<Vec<u8>>>(4)?.map(path),
        effect: if row.get(5)? { Effect::Allow } else { Effect::Deny },
        lifetime: if row.get::<_, Option<i64>>(6)?.is_some() {
            Lifetime::Session
        } else {
            Lifetime::Always
        },
        given_at: row.get::<_, i64>(7)? as u64,
    })
}
