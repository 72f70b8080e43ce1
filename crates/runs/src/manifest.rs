//! Manifest of a long run: the JSON file next to its output that records how the output was made.
//!
//! We resume a run with the same manifest and refuse one with another.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::files;

/// Error of a run that cannot write to its output.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The manifest cannot be read or written, or the output cannot have one.
    #[error("{}: {reason}", path.display())]
    File { path: PathBuf, reason: io::Error },
    /// The output exists without its manifest, `record`.
    #[error(
        "{}: exists, but {}, which would say how it was made, does not; write to another file",
        file.display(), record.display()
    )]
    Missing { file: PathBuf, record: PathBuf },
    /// The output was made in another way.
    #[error(
        "{}: made with other settings, program or network (see {}); use the same again or write to another file",
        file.display(), record.display()
    )]
    Other { file: PathBuf, record: PathBuf },
}

fn at(path: &Path) -> impl Fn(io::Error) -> ManifestError + '_ {
    move |reason| ManifestError::File { path: path.to_owned(), reason }
}

/// Returns the path of the manifest of `file`.
pub fn path(file: &Path) -> PathBuf {
    files::sibling(file, "json")
}

/// Reads the manifest of `file`; `None` if there is none.
pub fn read<T: DeserializeOwned>(file: &Path) -> Result<Option<T>, ManifestError> {
    let path = path(file);
    let damaged = |_| io::Error::new(io::ErrorKind::InvalidData, "damaged, or not the record of such a file");
    let manifest = read_bytes(&path)?.map(|bytes| serde_json::from_slice(&bytes).map_err(damaged));
    manifest.transpose().map_err(at(&path))
}

fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, ManifestError> {
    let mut bytes = Vec::new();
    match files::open_regular(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path)(error)),
    }
}

/// Writes the manifest of `file`.
pub fn write<T: Serialize>(file: &Path, manifest: &T) -> Result<(), ManifestError> {
    let path = path(file);
    to_bytes(manifest).and_then(|bytes| files::replace(&path, &bytes)).map_err(at(&path))
}

fn to_bytes<T: Serialize>(manifest: &T) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(manifest)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Checks that a manifest of `file` would overwrite nothing but a manifest.
pub fn ensure_overwritable(file: &Path) -> Result<(), ManifestError> {
    let path = path(file);
    let is_manifest = |bytes: &[u8]| bytes.starts_with(b"{\n  \"generator\": \"enroque");
    files::ensure_overwritable(&path, is_manifest).map_err(at(&path))
}

/// Writes the manifest of a new `file`, or checks that an existing one has the same manifest.
pub fn agree<T: Serialize>(file: &Path, manifest: &T) -> Result<(), ManifestError> {
    files::ensure_regular(file).map_err(at(file))?;
    ensure_overwritable(file)?;
    let record = path(file);
    match read_bytes(&record)? {
        Some(old) if old == to_bytes(manifest).map_err(at(&record))? => Ok(()),
        Some(_) => Err(ManifestError::Other { file: file.to_owned(), record }),
        None if file.metadata().is_ok_and(|file| file.len() > 0) => {
            Err(ManifestError::Missing { file: file.to_owned(), record })
        }
        None => write(file, manifest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_agree_by_their_manifests() {
        #[derive(Serialize)]
        struct Manifest {
            generator: &'static str,
            nodes: f32,
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games");
        let run = |nodes| agree(&file, &Manifest { generator: "enroque 1.0", nodes });
        run(0.1).unwrap();
        std::fs::write(&file, "games").unwrap();
        run(0.1).unwrap();
        assert!(matches!(run(0.2), Err(ManifestError::Other { .. })));
        std::fs::remove_file(path(&file)).unwrap();
        assert!(matches!(run(0.1), Err(ManifestError::Missing { .. })));
        assert!(!path(&file).exists());
        std::fs::write(path(&file), "dear diary").unwrap();
        assert!(run(0.1).unwrap_err().to_string().contains("holds something else"));
    }
}
