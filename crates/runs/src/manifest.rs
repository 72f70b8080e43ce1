//! Manifest of a long run: the JSON file beside its output that records how the output was made.
//!
//! A run with the same manifest is resumed; one with another is refused.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::files;

/// Error of a run that cannot write to its output.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The manifest cannot be read or written, or the output cannot have one.
    #[error("{}: {reason}", path.display())]
    File {
        /// Path of the manifest or the output.
        path: PathBuf,
        /// Cause.
        reason: std::io::Error,
    },
    /// The output exists without a manifest.
    #[error(
        "{}: exists, but {}, which would say how it was made, does not; write to another file",
        file.display(), record.display()
    )]
    Missing {
        file: PathBuf,
        /// Expected path of the manifest.
        record: PathBuf,
    },
    /// The output was made in another way.
    #[error(
        "{}: made with other settings, program or network (see {}); use the same again or write to another file",
        file.display(), record.display()
    )]
    Other {
        file: PathBuf,
        /// Path of the manifest.
        record: PathBuf,
    },
}

/// Returns the path of the manifest of `file`.
pub fn path(file: &Path) -> PathBuf {
    files::sibling(file, "json")
}

/// Reads the manifest of `file`; `None` if there is none.
///
/// # Errors
/// Returns an error if it cannot be read.
pub fn read<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, ManifestError> {
    let path = path(file);
    let fail = |reason| ManifestError::File { path: path.clone(), reason };
    let mut bytes = Vec::new();
    match files::open_regular(&path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => serde_json::from_slice(&bytes).map(Some).map_err(|_| {
            let reason = "damaged, or not the record of such a file";
            fail(std::io::Error::new(std::io::ErrorKind::InvalidData, reason))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error)),
    }
}

/// Writes the manifest of `file`.
///
/// # Errors
/// Returns an error if it cannot be written.
pub fn write<T: Serialize>(file: &Path, manifest: &T) -> Result<(), ManifestError> {
    let path = path(file);
    let text = serde_json::to_string_pretty(manifest).map_err(std::io::Error::from);
    let written = text.and_then(|text| files::replace(&path, (text + "\n").as_bytes()));
    written.map_err(|reason| ManifestError::File { path, reason })
}

/// Checks that a manifest of `file` would overwrite nothing but a manifest.
///
/// # Errors
/// Returns an error if its path holds something else.
pub fn ensure_overwritable(file: &Path) -> Result<(), ManifestError> {
    let path = path(file);
    let is_manifest = |bytes: &[u8]| bytes.starts_with(b"{\n  \"generator\": \"enroque ");
    files::ensure_overwritable(&path, is_manifest).map_err(|reason| ManifestError::File { path, reason })
}

/// Writes the manifest of a new `file`, or checks that an existing one has the same manifest.
///
/// # Errors
/// Returns an error if the manifests differ, or cannot be read or written.
pub fn agree<T: Serialize + DeserializeOwned + PartialEq>(
    file: &Path,
    manifest: &T,
) -> Result<(), ManifestError> {
    files::ensure_regular(file).map_err(|reason| ManifestError::File { path: file.to_owned(), reason })?;
    let other = || ManifestError::Other { file: file.to_owned(), record: path(file) };
    // A manifest of another kind, such as that of merged files, is not damaged.
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
        None => write(file, manifest),
        Some(old) if old == *manifest => Ok(()),
        Some(_) => Err(other()),
    }
}
