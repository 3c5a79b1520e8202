//! What the person saves from a result: a name that can't lead elsewhere, bytes as they were, written whole.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{HostError, Result};
use crate::store::disk;

/// A file name to propose: the last segment of what a server called it, without what no file is called.
pub fn name(wanted: &str) -> String {
    let last = wanted.rsplit(['/', '\\', ':']).next().unwrap_or_default();
    let kept: String = last
        .chars()
        .filter(|c| !c.is_control() && !"<>\"|?*".contains(*c))
        .take(120)
        .collect();
    let kept = kept.trim_matches(['.', ' ']);
    if kept.is_empty() {
        "result.txt".to_owned()
    } else {
        kept.to_owned()
    }
}

/// Bytes of base64 text.
///
/// # Errors
/// It is not base64.
pub fn decode(base64: &str) -> Result<Vec<u8>> {
    let compact: String = base64.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD.decode(compact).map_err(|e| HostError::Invalid {
        reason: format!("the data is not base64: {e}"),
    })
}

/// Writes a file whole.
///
/// # Errors
/// The disk refused.
pub async fn write(path: PathBuf, bytes: Vec<u8>) -> Result<()> {
    let written = tokio::task::spawn_blocking(move || disk::replace_bytes(&path, &bytes)).await;
    written.unwrap_or_else(|e| {
        Err(HostError::Storage {
            what: "the file".into(),
            reason: e.to_string(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposed_name_leads_nowhere_else() {
        for (wanted, proposed) in [
            ("report.csv", "report.csv"),
            ("../../.bashrc", "bashrc"),
            ("C:\\Windows\\x.exe", "x.exe"),
            ("file:///a/b?c", "bc"),
            ("\u{1b}[2J", "[2J"),
            ("..", "result.txt"),
            ("", "result.txt"),
        ] {
            assert_eq!(name(wanted), proposed, "{wanted:?}");
        }
    }
}
