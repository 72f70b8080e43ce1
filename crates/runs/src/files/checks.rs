//! Checks before work begins: outputs overwrite nothing foreign and do not clash.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::open::{is_stream, open_regular};
use super::paths::{folder, is_same_file};

/// Checks that writing to `path` loses no foreign data: the file is missing, empty, or `is_ours` accepts its first
/// bytes. Devices and pipes hold no data.
///
/// # Errors
/// Returns an error if the file is foreign, is a folder or a link to nothing, cannot be read, or its folder is missing.
pub fn ensure_overwritable(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> io::Result<()> {
    /// Number of bytes that `is_ours` gets, at most.
    const START_SIZE: u64 = 4096;
    if is_stream(path) {
        return Ok(());
    }
    let file = match open_regular(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return ensure_creatable(path),
        file => file?,
    };
    let mut start = Vec::new();
    file.take(START_SIZE).read_to_end(&mut start)?;
    if start.is_empty() || is_ours(&start) {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "holds something else, which would be lost; choose another name or remove it",
    ))
}

/// Checks that a missing file can be created.
fn ensure_creatable(path: &Path) -> io::Result<()> {
    let reason = if path.symlink_metadata().is_ok() {
        "is a link to a missing file; remove it or choose another name"
    } else if !folder(path).is_dir() {
        "the folder does not exist"
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::NotFound, reason))
}

/// Error of a command that would write a file twice, or read and write it.
#[derive(Debug, Error)]
pub enum ClashError {
    /// Two outputs are the same file.
    #[error("{}: would be written twice; give every output its own name", .0.display())]
    Twice(PathBuf),
    /// An output is also an input.
    #[error("{}: would be read and written at the same time; write to another file", .0.display())]
    Input(PathBuf),
}

/// Checks that all `outputs` are different files, and none of them is one of the `inputs`. Devices and pipes may be
/// written twice.
///
/// # Errors
/// Returns an error if two of the files are the same.
pub fn ensure_distinct(inputs: &[impl AsRef<Path>], outputs: &[impl AsRef<Path>]) -> Result<(), ClashError> {
    for (index, output) in outputs.iter().enumerate() {
        let output = output.as_ref();
        if is_stream(output) {
            continue;
        }
        if outputs[..index].iter().any(|other| is_same_file(output, other.as_ref())) {
            return Err(ClashError::Twice(output.to_owned()));
        }
        if inputs.iter().any(|input| is_same_file(output, input.as_ref())) {
            return Err(ClashError::Input(output.to_owned()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_file_not_overwritable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let check = || ensure_overwritable(&path, |bytes| bytes.starts_with(b"ours"));
        check().unwrap();
        std::fs::write(&path, "").unwrap();
        check().unwrap();
        std::fs::write(&path, "ours, older").unwrap();
        check().unwrap();
        std::fs::write(&path, "a letter").unwrap();
        assert_eq!(check().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn impossible_outputs_refused_early() {
        let folder = tempfile::tempdir().unwrap();
        let check = |path: &Path| ensure_overwritable(path, |_| true);
        assert!(check(folder.path()).is_err());
        assert!(check(&folder.path().join("none/file")).is_err());
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("none", &link).unwrap();
            assert!(check(&link).unwrap_err().to_string().contains("link to a missing file"));
            check(Path::new("/dev/null")).unwrap();
        }
    }

    #[test]
    fn clashing_outputs_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let a_again = folder.path().join(".").join("a");
        let none: [&Path; 0] = [];
        ensure_distinct(&none, &[&a, &b]).unwrap();
        ensure_distinct(&[&a, &a], &[&b]).unwrap();
        assert!(matches!(ensure_distinct(&none, &[&a, &b, &a_again]), Err(ClashError::Twice(_))));
        assert!(matches!(ensure_distinct(&[&a_again], &[&b, &a]), Err(ClashError::Input(_))));
        #[cfg(unix)]
        ensure_distinct(&none, &[Path::new("/dev/null"), Path::new("/dev/null")]).unwrap();
    }
}
