//! Where Gatehouse keeps its files. Makes no file itself.

use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};

/// The places of one installation.
#[derive(Debug, Clone)]
pub struct Places {
    config: PathBuf,
    data: PathBuf,
    moved: bool,
}

impl Places {
    /// The places of the person's account, or all of them under `GATEHOUSE_HOME` where that is set.
    ///
    /// # Errors
    /// The account has no home directory and `GATEHOUSE_HOME` is not set.
    pub fn of_this_account() -> Result<Self> {
        if let Some(home) = std::env::var_os("GATEHOUSE_HOME").filter(|home| !home.is_empty()) {
            let home = PathBuf::from(home);
            let home = std::path::absolute(&home).unwrap_or(home);
            return Ok(Self::under(&home));
        }
        let dirs =
            directories::ProjectDirs::from("org", "Gatehouse", "gatehouse").ok_or_else(|| HostError::Storage {
                what: "the home directory of this account".into(),
                reason: "there is none; set GATEHOUSE_HOME to a folder for Gatehouse's files".into(),
            })?;
        Ok(Self {
            config: dirs.config_dir().to_owned(),
            data: dirs.data_local_dir().to_owned(),
            moved: false,
        })
    }

    /// Every place under one folder.
    pub fn under(home: &Path) -> Self {
        Self {
            config: home.to_owned(),
            data: home.to_owned(),
            moved: true,
        }
    }

    /// True where everything lies under one folder of its own, so that the account's keychain has no part in it.
    pub fn is_moved(&self) -> bool {
        self.moved
    }

    /// Two folders in place of the account's, apart as most systems have them.
    pub fn apart(config: &Path, data: &Path) -> Self {
        Self {
            config: config.to_owned(),
            data: data.to_owned(),
            moved: true,
        }
    }

    /// The folder of `servers.json`.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// The folder of the database.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The person's server definitions.
    pub fn servers_file(&self) -> PathBuf {
        self.config.join("servers.json")
    }

    /// Folders, grants, trust, record, settings.
    pub fn database(&self) -> PathBuf {
        self.data.join("gatehouse.db")
    }

    /// The folder of the file that a process touches when it has written to the database.
    pub fn bell(&self) -> PathBuf {
        self.data.join("bell")
    }

    /// One lock file a running process, to tell the living from the dead.
    pub fn runs(&self) -> PathBuf {
        self.data.join("runs")
    }

    /// The neutral working directory of a server that has none configured: empty, ours, and named after nothing of the person's.
    pub fn neutral(&self, fingerprint: &str) -> PathBuf {
        self.data.join("neutral").join(fingerprint)
    }
}
