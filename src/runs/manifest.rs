//! The record beside a file that a long run makes: how it was made. The same run goes on, another is refused.

use std::path::{Path, PathBuf};

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::util::files;

/// Why a run cannot write to its file.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The record cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        reason: std::io::Error,
    },
    /// There is a file, and nothing says how it was made.
    #[error(
        "{}: exists, but {}, which would say how it was made, does not; write to another file",
        file.display(), record.display()
    )]
    Missing {
        file: PathBuf,
        /// Where the record should be.
        record: PathBuf,
    },
    /// The file was made otherwise.
    #[error(
        "{}: made with other settings, program or network (see {}); use the same again or write to another file",
        file.display(), record.display()
    )]
    Other {
        file: PathBuf,
        /// How it was made.
        record: PathBuf,
    },
}

/// Where the record of `file` is.
pub fn path(file: &Path) -> PathBuf {
    files::sibling(file, "json")
}

/// The record of `file`, if it has one.
///
/// # Errors
/// When it cannot be read.
pub fn read<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, ManifestError> {
    let path = path(file);
    let fail = |reason| ManifestError::File { path: path.clone(), reason };
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            let reason = format!("damaged: {error}");
            fail(std::io::Error::new(std::io::ErrorKind::InvalidData, reason))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error)),
    }
}

/// Writes the record of `file`.
///
/// # Errors
/// When the disk does not take it.
pub fn write<T: Serialize>(file: &Path, record: &T) -> Result<(), ManifestError> {
    let path = path(file);
    let text = serde_json::to_string_pretty(record).map_err(std::io::Error::from);
    let written = text.and_then(|text| files::replace(&path, (text + "\n").as_bytes()));
    written.map_err(|reason| ManifestError::File { path, reason })
}

/// Checks that writing the record of `file` destroys nothing: that there is none yet, or one that a run wrote.
///
/// # Errors
/// When it holds something else.
pub fn ensure_overwritable(file: &Path) -> Result<(), ManifestError> {
    let path = path(file);
    let is_record = |bytes: &[u8]| bytes.starts_with(b"{\n  \"generator\": \"enroque ");
    files::ensure_overwritable(&path, is_record).map_err(|reason| ManifestError::File { path, reason })
}

/// Writes the record beside a new file; for an old one, checks that it has one and was made in the same way.
///
/// # Errors
/// When it was not, or the record cannot be read or written.
pub fn agree<T: Serialize + DeserializeOwned + PartialEq>(
    file: &Path,
    record: &T,
) -> Result<(), ManifestError> {
    let other = || ManifestError::Other { file: file.to_owned(), record: path(file) };
    // A record of another kind, as of joined files, is no damage.
    let old = match read::<T>(file) {
        Err(ManifestError::File { reason, .. })
            if reason.kind() == std::io::ErrorKind::InvalidData && ensure_overwritable(file).is_ok() =>
        {
            return Err(other());
        }
        old => old?,
    };
    match old {
        None if std::fs::metadata(file).is_ok_and(|file| file.len() > 0) => {
            Err(ManifestError::Missing { file: file.to_owned(), record: path(file) })
        }
        None => write(file, record),
        Some(old) if old == *record => Ok(()),
        Some(_) => Err(other()),
    }
}
