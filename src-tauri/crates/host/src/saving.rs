//! What the person saves from a result: a name that can't lead elsewhere, bytes as they were, written whole.

use std::path::PathBuf;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

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

/// Servers leave the padding out, or bits at the end that mean nothing; the bytes are the same.
const TOLERANT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Bytes of base64 text.
///
/// # Errors
/// It is not base64.
pub fn decode(base64: &str) -> Result<Vec<u8>> {
    let compact: String = base64.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    TOLERANT.decode(compact).map_err(|e| HostError::Invalid {
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
    fn base64_is_read_with_and_without_padding_and_blanks_and_not_otherwise() {
        for base64 in ["YWI=", "YWI", "Y W\nI=", "YWJ="] {
            assert_eq!(decode(base64).ok().as_deref(), Some(b"ab".as_slice()), "{base64:?}");
        }
        for base64 in ["%%%", "Y", "YW-_", "YWI=YWI="] {
            assert!(decode(base64).is_err(), "{base64:?}");
        }
    }

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
