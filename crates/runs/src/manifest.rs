//! The manifest of a long run: a JSON file, stored next to the output, that records how the output was made.
//!
//! We resume a run only if its settings match the manifest; otherwise we refuse to continue.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::files::{self, AtPath};
use enroque::nnue::Network;
use enroque::util::version::GENERATOR;

/// The program and the network that made a file. Every manifest begins with these two fields, by `#[serde(flatten)]`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Made {
    /// Name, version and commit of the program.
    pub generator: String,
    /// Checksum of the network, in hexadecimal.
    pub network: String,
}

impl Made {
    /// By this program, with `network`.
    pub fn with(network: &Network) -> Self {
        Self { generator: GENERATOR.to_owned(), network: format!("{:016x}", network.checksum()) }
    }
}

/// Returns where the manifest of `file` is: `games.gz.json` for `games.gz`.
pub fn path(file: &Path) -> PathBuf {
    files::sibling(file, "json")
}

/// Reads the manifest that is stored next to `file`; `None` if there is none.
pub fn read<T: DeserializeOwned>(file: &Path) -> Result<Option<T>> {
    let path = path(file);
    let Some(bytes) = read_bytes(&path)? else { return Ok(None) };
    let damaged = || format!("{}: damaged, or not the manifest of such a file", path.display());
    serde_json::from_slice(&bytes).ok().with_context(damaged).map(Some)
}

fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    match files::open_regular(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).at(path),
    }
}

/// Writes the manifest of `file` as indented JSON, so that people can read and diff it. Replaces an older manifest.
pub fn write<T: Serialize>(file: &Path, manifest: &T) -> Result<()> {
    let path = path(file);
    to_bytes(manifest).and_then(|bytes| files::replace(&path, &bytes)).at(&path)
}

fn to_bytes<T: Serialize>(manifest: &T) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(manifest)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Fails if writing the manifest of `file` would overwrite anything but an older manifest.
pub fn ensure_overwritable(file: &Path) -> Result<()> {
    let path = path(file);
    let is_manifest = |bytes: &[u8]| bytes.starts_with(b"{\n  \"generator\": \"enroque");
    files::ensure_overwritable(&path, is_manifest).at(&path)
}

/// Starts or resumes the run that writes `file`: writes the manifest if the file is new, or else checks that the
/// existing manifest is the same. Fails if a later run could not read the manifest back.
pub fn agree<T: Serialize + DeserializeOwned + PartialEq>(file: &Path, manifest: &T) -> Result<()> {
    let again = serde_json::from_slice(&to_bytes(manifest)?);
    let is_readable = again.is_ok_and(|again: T| again == *manifest);
    ensure!(is_readable, "{}: its manifest could not be read again", file.display());
    files::ensure_regular(file).at(file)?;
    ensure_overwritable(file)?;
    let record = path(file);
    let old = read_bytes(&record)?;
    let [name, record] = [file, &record].map(Path::display);
    match old {
        Some(old) if old == to_bytes(manifest)? => Ok(()),
        Some(_) => bail!(
            "{name}: made with other settings, program or network (see {record}); use the same again or choose \
             another output file"
        ),
        None if file.metadata().is_ok_and(|file| file.len() > 0) => {
            bail!("{name}: its manifest {record} is missing; choose another output file")
        }
        None => write(file, manifest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_agree_by_their_manifests() {
        #[derive(PartialEq, Serialize, Deserialize)]
        struct Manifest {
            generator: String,
            nodes: f32,
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games");
        let run = |nodes| agree(&file, &Manifest { generator: "enroque 1.0".to_owned(), nodes });
        run(0.1).unwrap();
        std::fs::write(&file, "games").unwrap();
        run(0.1).unwrap();
        let refused = |nodes| run(nodes).unwrap_err().to_string();
        assert!(refused(0.2).contains("made with other settings"), "{}", refused(0.2));
        assert!(refused(f32::NAN).contains("could not be read again"), "{}", refused(f32::NAN));
        std::fs::remove_file(path(&file)).unwrap();
        assert!(refused(0.1).contains("games.json is missing"), "{}", refused(0.1));
        assert!(!path(&file).exists());
        std::fs::write(path(&file), "dear diary").unwrap();
        assert!(format!("{:#}", run(0.1).unwrap_err()).contains("holds something else"));
    }
}
