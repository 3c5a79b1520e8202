//! Rows of the folder list. Paths are kept as raw bytes.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::Store;
use crate::clock;
use crate::error::Result;
use crate::root::{Root, RootId};

const WHAT: &str = "the list of folders";

impl Store {
    /// The roots of the active workspace, in order.
    ///
    /// # Errors
    /// The database refused.
    pub fn roots(&self) -> Result<Vec<Root>> {
        self.read_in_turn(WHAT, |db| {
            let mut memo = self.memo(db)?;
            if let Some(roots) = &memo.roots {
                return Ok(roots.clone());
            }
            let roots: Vec<Root> = db
                .prepare_cached(
                    "SELECT r.id, r.path, r.name FROM roots r JOIN workspaces w ON w.id = r.workspace
                     WHERE w.active = 1 ORDER BY r.position, r.id",
                )?
                .query_map([], |row| {
                    Ok(Root {
                        id: RootId(row.get::<_, i64>(0)? as u64),
                        path: path(row.get(1)?),
                        name: row.get(2)?,
                    })
                })?
                .collect::<rusqlite::Result<_>>()?;
            memo.roots = Some(roots.clone());
            Ok(roots)
        })
    }

    /// Appends a root to the active workspace; none where that path is there already.
    ///
    /// # Errors
    /// The database refused.
    pub fn add_root(&self, path: &Path, name: &str) -> Result<Option<RootId>> {
        self.write(WHAT, |db| {
            db.query_row(
                "INSERT INTO roots (workspace, position, path, name, added_at)
                 SELECT id, (SELECT COALESCE(MAX(position), 0) + 1 FROM roots), ?1, ?2, ?3 FROM workspaces WHERE active = 1
                 ON CONFLICT DO NOTHING RETURNING id",
                params![bytes(path), name, clock::now() as i64],
                |row| row.get::<_, i64>(0),
            )
            .optional()
        })
        .map(|id| id.map(|id| RootId(id as u64)))
    }

    /// Removes a root with its grants; false where there is none.
    ///
    /// # Errors
    /// The database refused.
    pub fn remove_root(&self, id: RootId) -> Result<bool> {
        self.write(WHAT, |db| db.execute("DELETE FROM roots WHERE id = ?1", [id.0 as i64]))
            .map(|n| n > 0)
    }

    /// Renames a root; false where there is none.
    ///
    /// # Errors
    /// The database refused.
    pub fn rename_root(&self, id: RootId, name: &str) -> Result<bool> {
        self.write(WHAT, |db| {
            db.execute("UPDATE roots SET name = ?2 WHERE id = ?1", params![id.0 as i64, name])
        })
        .map(|n| n > 0)
    }

    /// Puts the roots in this order; roots that are not named keep their order behind them.
    ///
    /// # Errors
    /// The database refused.
    pub fn reorder_roots(&self, order: &[RootId]) -> Result<()> {
        self.write(WHAT, |db| {
            let mut rest: Vec<i64> = ids(db)?;
            let named: Vec<i64> = order
                .iter()
                .map(|id| id.0 as i64)
                .filter(|id| rest.contains(id))
                .collect();
            rest.retain(|id| !named.contains(id));
            for (position, id) in named.iter().chain(&rest).enumerate() {
                db.execute(
                    "UPDATE roots SET position = ?2 WHERE id = ?1",
                    params![id, position as i64 + 1],
                )?;
            }
            Ok(())
        })
    }
}

fn ids(db: &Connection) -> rusqlite::Result<Vec<i64>> {
    db.prepare(
        "SELECT r.id FROM roots r JOIN workspaces w ON w.id = r.workspace WHERE w.active = 1 ORDER BY r.position, r.id",
    )?
    .query_map([], |row| row.get(0))?
    .collect()
}

/// A path as its raw bytes (on Windows: its UTF-16 units, little endian).
pub(super) fn bytes(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    {
        std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
    }
    #[cfg(windows)]
    {
        std::os::windows::ffi::OsStrExt::encode_wide(path.as_os_str())
            .flat_map(u16::to_le_bytes)
            .collect()
    }
}

/// The path of raw bytes made by [`bytes()`].
pub(super) fn path(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    {
        PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
    }
    #[cfg(windows)]
    {
        let wide: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect();
        PathBuf::from(<std::ffi::OsString as std::os::windows::ffi::OsStringExt>::from_wide(
            &wide,
        ))
    }
}
