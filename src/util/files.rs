//! Crash-safe files: atomic replacement, locks against a second writer, no overwriting of foreign files.
//!
//! After a kill or with a full disk a file has either its old or its new contents. All writing of the program's own
//! files goes through this module, so that tests can make each step fail: see `fault`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// File locked for writing by this process. A second process cannot open it as `LockedFile`.
#[derive(Debug)]
pub struct LockedFile {
    path: PathBuf,
    file: File,
}

impl LockedFile {
    /// Opens and locks the file, which is created if missing and otherwise unchanged.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or another process has locked it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        fault::step(path)?;
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(
                    io::ErrorKind::ResourceBusy,
                    "another process is writing to it; wait for it, or write to another file",
                ));
            }
            // The file system has no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(Self { path: path.to_owned(), file })
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn read_all(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    /// Returns an error if the system cannot report it.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Truncates the file to `length` bytes and moves the write position there.
    ///
    /// # Errors
    /// Returns an error if the system fails to do it.
    pub fn truncate(&mut self, length: u64) -> io::Result<()> {
        fault::step(&self.path)?;
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        Ok(())
    }

    /// Waits until all written data is on the disk.
    ///
    /// # Errors
    /// Returns an error if the data cannot be written to the disk.
    pub fn sync(&self) -> io::Result<()> {
        fault::step(&self.path)?;
        self.file.sync_data()
    }

    /// Returns a second handle for reading from the start. Both handles share one position: call [`Self::truncate`]
    /// before the next write.
    ///
    /// # Errors
    /// Returns an error if the system cannot duplicate the handle.
    pub fn reader(&self) -> io::Result<File> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = &bytes[..fault::bytes_written(&self.path, bytes.len())?];
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns the path with a further extension: `games.zst` and `tail` give `games.zst.tail`.
pub fn sibling(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Returns the path of file `number` of a series: `game.svg`, then `game-2.svg` and so on.
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{ending}"))
}

/// Replaces the file atomically with the output of `write`.
///
/// # Errors
/// Returns an error if `write` or the disk fails; the file is then unchanged.
pub fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let fresh = sibling(path, "new");
    let mut out = BufWriter::new(LockedFile::open(&fresh)?);
    let write = || -> Result<(), E> {
        out.get_mut().truncate(0)?;
        write(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync()?;
        // Not every system renames an open file.
        drop(file);
        Ok(rename(&fresh, path)?)
    };
    let written = write();
    if written.is_err() {
        // Frees the space, should the disk be full.
        let _ = remove(&fresh);
    }
    written
}

/// Replaces the file atomically with `bytes`.
///
/// # Errors
/// Returns an error if the disk fails; the file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |out| out.write_all(bytes))
}

/// Appends `bytes` to the file.
///
/// # Errors
/// Returns an error if the disk fails; part of the bytes may have been appended.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    let written = fault::bytes_written(path, bytes.len())?;
    file.write_all(&bytes[..written])?;
    if written == bytes.len() { Ok(()) } else { fault::step(path) }
}

/// Renames the file and replaces any file of the new name.
///
/// # Errors
/// Returns an error if the system fails to do it.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fault::step(to)?;
    std::fs::rename(from, to)
}

/// Removes the file.
///
/// # Errors
/// Returns an error if the system fails to do it.
pub fn remove(path: &Path) -> io::Result<()> {
    fault::step(path)?;
    std::fs::remove_file(path)
}

/// Returns `true` if both paths name the same file, which need not exist.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| {
        path.canonicalize().unwrap_or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
            folder.join(path.file_name().unwrap_or_default())
        })
    };
    resolved(one) == resolved(other)
}

/// Checks that writing to `path` loses no foreign data: the file is missing, empty, or `is_ours` accepts its first
/// bytes.
///
/// # Errors
/// Returns an error if the file is foreign or cannot be read.
pub fn ensure_overwritable(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> io::Result<()> {
    /// Number of bytes that `is_ours` gets, at most.
    const START_SIZE: u64 = 4096;
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    if !file.metadata()?.is_file() {
        return Ok(());
    }
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

/// Fault injection: makes writing fail, for tests of a kill or a full disk.
#[cfg(test)]
pub mod fault {
    use std::collections::BTreeMap;
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, PoisonError};

    /// Remaining successful steps by folder; `None` after the first failure.
    static LIMITS: Mutex<Vec<(PathBuf, Option<u64>)>> = Mutex::new(Vec::new());

    /// Guard that makes writing fail in a folder from some step on.
    pub struct Fault {
        folder: PathBuf,
    }

    impl Fault {
        /// Lets `steps` steps succeed in `folder`; all later ones fail, as if the process had been killed. A step is an
        /// opening, write, truncation, sync, renaming or removal.
        pub fn after(steps: u64, folder: &Path) -> Self {
            LIMITS.lock().unwrap_or_else(PoisonError::into_inner).push((folder.to_owned(), Some(steps)));
            Self { folder: folder.to_owned() }
        }

        /// Returns `true` if no step has failed yet.
        pub fn is_unused(&self) -> bool {
            let limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
            limits.iter().any(|(folder, left)| *folder == self.folder && left.is_some())
        }
    }

    impl Drop for Fault {
        fn drop(&mut self) {
            let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
            limits.retain(|(folder, _)| *folder != self.folder);
        }
    }

    /// Returns all bytes of a file, for [`survives_kills`] of files that must be equal as a whole.
    pub fn whole_file(_: &Path, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    /// Asserts that `run`, which writes into the given folder, can be killed at each of its steps and resumed.
    ///
    /// Every second time it is killed twice. The files must equal those of an undisturbed run, as far as `comparable`
    /// returns their bytes. There must be at least `min_steps` steps.
    pub fn survives_kills<T, E: std::fmt::Display>(
        min_steps: u64,
        comparable: impl Fn(&Path, Vec<u8>) -> Vec<u8>,
        run: impl Fn(&Path) -> Result<T, E>,
    ) {
        let contents = |folder: &Path| -> BTreeMap<PathBuf, Vec<u8>> {
            let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let read = |path: PathBuf| {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                (name, comparable(&path, std::fs::read(&path).unwrap()))
            };
            files.map(read).collect()
        };
        let undisturbed = tempfile::tempdir().unwrap();
        if let Err(error) = run(undisturbed.path()) {
            panic!("undisturbed: {error}");
        }
        let expected = contents(undisturbed.path());
        for steps in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let finishes_with = |steps| {
                let fault = Fault::after(steps, folder.path());
                let result = run(folder.path());
                assert_eq!(result.is_ok(), fault.is_unused(), "killed after {steps} steps");
                fault.is_unused()
            };
            let finished = finishes_with(steps);
            if !finished {
                if steps % 2 == 1 {
                    finishes_with(steps / 2);
                }
                if let Err(error) = run(folder.path()) {
                    panic!("resumed after {steps} steps: {error}");
                }
            }
            let found = contents(folder.path());
            assert!(found.keys().eq(expected.keys()), "killed after {steps} steps: {:?}", found.keys());
            assert!(found == expected, "killed after {steps} steps: other contents");
            if finished {
                assert!(steps >= min_steps, "only {steps} steps");
                return;
            }
        }
    }

    fn injected() -> io::Error {
        io::Error::new(io::ErrorKind::StorageFull, "injected")
    }

    /// Performs a step that succeeds or fails as a whole.
    pub(super) fn step(path: &Path) -> io::Result<()> {
        bytes_written(path, 1).and_then(|written| if written == 1 { Ok(()) } else { Err(injected()) })
    }

    /// Returns the number of bytes out of `length` that a write stores: half of them in the first write that fails.
    pub(super) fn bytes_written(path: &Path, length: usize) -> io::Result<usize> {
        let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
        match limits.iter_mut().find(|(folder, _)| path.starts_with(folder)).map(|(_, left)| left) {
            None => Ok(length),
            Some(None) => Err(injected()),
            Some(left @ Some(0)) => {
                *left = None;
                Ok(length / 2)
            }
            Some(Some(left)) => {
                *left -= 1;
                Ok(length)
            }
        }
    }
}

#[cfg(not(test))]
mod fault {
    #[inline(always)]
    pub(super) fn step(_: &std::path::Path) -> std::io::Result<()> {
        Ok(())
    }

    #[inline(always)]
    pub(super) fn bytes_written(_: &std::path::Path, length: usize) -> std::io::Result<usize> {
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacement_is_atomic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut steps = 0;
        loop {
            std::fs::write(&path, "old").unwrap();
            let fault = fault::Fault::after(steps, folder.path());
            let replaced = replace(&path, b"new and longer");
            assert_eq!(replaced.is_ok(), std::fs::read(&path).unwrap() == b"new and longer");
            assert!(replaced.is_ok() || std::fs::read(&path).unwrap() == b"old");
            if fault.is_unused() {
                break;
            }
            steps += 1;
        }
        assert!(steps >= 4, "open, truncate, write, sync, rename: {steps}");
    }

    #[test]
    fn second_writer_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let first = LockedFile::open(&path).unwrap();
        assert_eq!(LockedFile::open(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        LockedFile::open(&path).unwrap();
    }

    #[test]
    fn same_file_under_several_paths() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there"), "").unwrap();
        for name in ["there", "not-there"] {
            assert!(is_same_file(&folder.path().join(name), &folder.path().join(".").join(name)), "{name}");
            assert!(is_same_file(
                &folder.path().join(name),
                &folder.path().join("../").join(folder.path().file_name().unwrap()).join(name)
            ));
        }
        assert!(!is_same_file(&folder.path().join("there"), &folder.path().join("not-there")));
    }

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
}
