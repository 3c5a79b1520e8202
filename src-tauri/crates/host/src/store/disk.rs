//! Files and folders of Gatehouse's own: private by mode, written whole or not at all. Not the person's folders.
#![allow(
    clippy::disallowed_methods,
    reason = "this is the place that touches the file system"
)]

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};

/// Makes a folder (with its parents) that only this account may enter.
///
/// # Errors
/// The folder can't be made.
pub fn private_folder(path: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|e| storage(path, &e))
}

/// Makes an empty file that only this account may read, where there is none yet.
///
/// # Errors
/// The file can't be made.
pub fn private_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|e| storage(path, &e))
}

/// Sets the time of a file to now, which those that watch it see.
///
/// # Errors
/// The file is not there, or the disk refused.
pub fn touch(path: &Path) -> Result<()> {
    let file = OpenOptions::new()
        .write(true)
        .open(path)
        .map_err(|e| storage(path, &e))?;
    file.set_times(fs::FileTimes::new().set_modified(std::time::SystemTime::now()))
        .map_err(|e| storage(path, &e))
}

/// Reads a text file of at most `most` bytes; none where there is no such file.
///
/// # Errors
/// It can't be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<Option<String>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(storage(path, &e)),
    };
    let mut bytes = Vec::new();
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| storage(path, &e))?;
    if bytes.len() as u64 > most {
        return Err(HostError::Storage {
            what: path.display().to_string(),
            reason: format!("it is larger than {most} bytes"),
        });
    }
    String::from_utf8(bytes).map(Some).map_err(|e| HostError::Storage {
        what: path.display().to_string(),
        reason: format!(
            "it is not UTF-8 text (byte {} is at fault)",
            e.utf8_error().valid_up_to()
        ),
    })
}

/// Replaces a file's text whole: a temporary file beside it, flushed to the disk, then renamed over it. A link is followed,
/// the mode of an old file is kept, a new file is private.
///
/// # Errors
/// The disk refused; the old file stands.
pub fn replace_text(path: &Path, text: &str) -> Result<()> {
    private_folder(path.parent().unwrap_or(Path::new(".")))?;
    replace_bytes(path, text.as_bytes())
}

/// Like [`replace_text`], for bytes, into a folder that is there.
///
/// # Errors
/// The disk refused; the old file stands.
pub fn replace_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    let target: PathBuf = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut temporary = tempfile::Builder::new()
        .prefix(".gatehouse-")
        .tempfile_in(folder)
        .map_err(|e| storage(folder, &e))?;
    let written = temporary.write_all(bytes).and_then(|()| temporary.as_file().sync_all());
    written.map_err(|e| storage(&target, &e))?;
    if let Ok(old) = fs::metadata(&target) {
        fs::set_permissions(temporary.path(), old.permissions()).map_err(|e| storage(&target, &e))?;
    }
    temporary.persist(&target).map_err(|e| storage(&target, &e.error))?;
    if let Ok(folder) = File::open(folder) {
        // Not every file system can flush a folder; the rename itself has happened.
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Names of the files in a folder; nothing where there is none.
pub fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// Removes a file of ours; one that is gone already is no error.
pub fn remove(path: &Path) {
    if let Err(e) = fs::remove_file(path)
        && e.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(path = %path.display(), "a file could not be removed: {e}");
    }
}

fn storage(path: &Path, error: &std::io::Error) -> HostError {
    HostError::Storage {
        what: path.display().to_string(),
        reason: error.to_string(),
    }
}
