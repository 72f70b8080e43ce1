//! Checks before work begins: outputs overwrite nothing foreign and do not clash.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::folder;

/// Returns `true` if the path names a device or pipe, such as `/dev/stdout`.
pub fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| !file.is_file() && !file.is_dir())
}

/// Checks that the path names a regular file or nothing.
pub fn ensure_regular(path: &Path) -> io::Result<()> {
    if path.metadata().is_ok_and(|file| !file.is_file()) {
        let reason = "expected a regular file, found a pipe, device or folder";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    Ok(())
}

/// Opens a regular file for reading. We would wait for the other end of a pipe.
pub fn open_regular(path: &Path) -> io::Result<File> {
    ensure_regular(path)?;
    File::open(path)
}

/// Checks that writing to `path` loses no foreign data: the file is missing, empty, or `is_ours` accepts its first
/// bytes. Devices and pipes hold no data.
///
/// # Errors
/// Returns an error if the file is foreign, is a folder or a link to nothing, cannot be read, or its folder is missing.
pub fn ensure_overwritable(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> io::Result<()> {
    /// `is_ours` sees at most this many bytes.
    const START_SIZE: u64 = 4096;
    if is_stream(path) {
        return Ok(());
    }
    let refuse = |kind, reason| Err(io::Error::new(kind, reason));
    let file = match open_regular(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) if path.is_symlink() => {
            let reason = "is a link to a missing file; remove it or choose another name";
            return refuse(io::ErrorKind::NotFound, reason);
        }
        Err(_) if !folder(path).is_dir() => {
            return refuse(io::ErrorKind::NotFound, "the folder does not exist");
        }
        Err(_) => return Ok(()),
        Ok(file) => file,
    };
    let mut start = Vec::new();
    file.take(START_SIZE).read_to_end(&mut start)?;
    if start.is_empty() || is_ours(&start) {
        return Ok(());
    }
    let reason = "holds something else, which would be lost; choose another name or remove it";
    refuse(io::ErrorKind::AlreadyExists, reason)
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

/// Checks that all `outputs` are different files, and that none is also an input. Devices and pipes may be written twice.
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

/// Returns `true` if both paths lead to the same file, which need not exist.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| {
        path.canonicalize().unwrap_or_else(|_| {
            let folder = folder(path).canonicalize().unwrap_or_default();
            folder.join(path.file_name().unwrap_or_default())
        })
    };
    resolved(one) == resolved(other)
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
        for ours in ["", "ours, older"] {
            std::fs::write(&path, ours).unwrap();
            check().unwrap();
        }
        std::fs::write(&path, "a letter").unwrap();
        assert_eq!(check().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn impossible_outputs_refused_early() {
        let folder = tempfile::tempdir().unwrap();
        let check = |path: &Path| ensure_overwritable(path, |_| true);
        assert!(check(folder.path()).is_err());
        let error = check(&folder.path().join("none/file")).unwrap_err();
        assert!(error.to_string().contains("the folder does not exist"), "{error}");
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("none", &link).unwrap();
            assert!(check(&link).unwrap_err().to_string().contains("link to a missing file"));
            let device = Path::new("/dev/null");
            check(device).unwrap();
            assert!(open_regular(device).unwrap_err().to_string().contains("expected a regular file"));
        }
    }

    #[test]
    fn clashing_outputs_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let a_again = folder.path().join("../").join(folder.path().file_name().unwrap()).join("./a");
        let none: [&Path; 0] = [];
        // First without the files, then with them.
        for _ in 0..2 {
            ensure_distinct(&none, &[&a, &b]).unwrap();
            ensure_distinct(&[&a, &a], &[&b]).unwrap();
            assert!(matches!(ensure_distinct(&none, &[&a, &b, &a_again]), Err(ClashError::Twice(_))));
            assert!(matches!(ensure_distinct(&[&a_again], &[&b, &a]), Err(ClashError::Input(_))));
            std::fs::write(&a, "").unwrap();
        }
        #[cfg(unix)]
        ensure_distinct(&none, &[Path::new("/dev/null"), Path::new("/dev/null")]).unwrap();
    }
}
