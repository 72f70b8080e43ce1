//! Files that outlive accidents: whatever a kill, a full disk or a second process does, a file holds what it held
//! before or what it should hold now, and nothing that is not ours is written over.
//!
//! All writing of the program's own files goes through here, so that tests can let it fail at every point: see
//! `fault`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that is written to, by this process alone: a second one that opens it in the same way is refused.
#[derive(Debug)]
pub struct LockedFile {
    path: PathBuf,
    file: File,
}

impl LockedFile {
    /// Opens the file, or begins it, without changing what it holds.
    ///
    /// # Errors
    /// When it cannot be opened, or another process has done so before.
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
            // A file system without locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(Self { path: path.to_owned(), file })
    }

    /// All that it holds.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_all(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Bytes that it holds.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Cuts it off after `length` bytes, where the next are then written.
    ///
    /// # Errors
    /// When the system does not do it.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        fault::step(&self.path)?;
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        Ok(())
    }

    /// Waits until what was written is on the disk.
    ///
    /// # Errors
    /// When it does not get there.
    pub fn sync(&self) -> io::Result<()> {
        fault::step(&self.path)?;
        self.file.sync_data()
    }

    /// A second handle for reading: it moves the place where the next bytes are written, until [`Self::cut`] sets it.
    ///
    /// # Errors
    /// When the system gives none.
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

/// The name of a file's neighbour: `games.zst` and `tail` make `games.zst.tail`.
pub fn sibling(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// The name of one of several files: `game.svg`, then `game-2.svg` and so on.
pub fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{ending}"))
}

/// Puts what `write` writes in the place of the file, at once or not at all.
///
/// # Errors
/// When the disk does not take it; the file is then what it was.
pub fn replace_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let fresh = sibling(path, "new");
    let mut out = BufWriter::new(LockedFile::open(&fresh)?);
    let write = || -> Result<(), E> {
        out.get_mut().cut(0)?;
        write(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync()?;
        // Closed before it is renamed: not every system renames an open file.
        drop(file);
        Ok(rename(&fresh, path)?)
    };
    let written = write();
    if written.is_err() {
        // A full disk is not to be filled by what is of no use.
        let _ = remove(&fresh);
    }
    written
}

/// Puts `bytes` in the place of the file, at once or not at all.
///
/// # Errors
/// When the disk does not take them; the file is then what it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |out| out.write_all(bytes))
}

/// Adds `bytes` to the end of the file.
///
/// # Errors
/// When the disk does not take them; part of them may have been added.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    let written = fault::bytes_written(path, bytes.len())?;
    file.write_all(&bytes[..written])?;
    if written == bytes.len() { Ok(()) } else { fault::step(path) }
}

/// Gives the file another name, in the place of what has that name.
///
/// # Errors
/// When the system does not do it.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fault::step(to)?;
    std::fs::rename(from, to)
}

/// Removes the file.
///
/// # Errors
/// When the system does not do it.
pub fn remove(path: &Path) -> io::Result<()> {
    fault::step(path)?;
    std::fs::remove_file(path)
}

/// `true` when both names mean the same file, also where it does not exist yet.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let resolved = |path: &Path| {
        path.canonicalize().unwrap_or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
            folder.join(path.file_name().unwrap_or_default())
        })
    };
    resolved(one) == resolved(other)
}

/// Checks that writing to `path` destroys nothing: that there is no such file, an empty one, or one that begins so
/// that `is_ours` knows it.
///
/// # Errors
/// When there is a foreign file, or none that can be read.
pub fn ensure_overwritable(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> io::Result<()> {
    /// Bytes that are looked at.
    const BEGINNING: u64 = 4096;
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    let mut beginning = Vec::new();
    file.take(BEGINNING).read_to_end(&mut beginning)?;
    if beginning.is_empty() || is_ours(&beginning) {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "holds something else, which would be lost; choose another name or remove it",
    ))
}

/// Makes writing fail, in tests of what a kill or a full disk leaves behind.
#[cfg(test)]
pub mod fault {
    use std::collections::BTreeMap;
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, PoisonError};

    /// Folders, and how many more steps succeed in each; `None` once one has failed.
    static LIMITS: Mutex<Vec<(PathBuf, Option<u64>)>> = Mutex::new(Vec::new());

    /// As long as it lives, writing fails in a folder from some step on.
    pub struct Fault {
        folder: PathBuf,
    }

    impl Fault {
        /// In `folder` `steps` steps succeed: openings to write, writes, cuts, renamings; all later ones fail, as if
        /// the process had been killed there.
        pub fn after(steps: u64, folder: &Path) -> Self {
            LIMITS.lock().unwrap_or_else(PoisonError::into_inner).push((folder.to_owned(), Some(steps)));
            Self { folder: folder.to_owned() }
        }

        /// `true` when it has not come to that.
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

    /// The bytes of a file that must be the same each time, where that is all of them.
    pub fn as_it_is(_: &Path, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    /// Lets `run`, which writes into the folder it is given, be killed at each of its steps, every second time once
    /// more, and go on: in the end the files are those of a run that nothing disturbed, by what `comparable` takes of
    /// each.
    pub fn survives_kills<T, E: std::fmt::Display>(
        least_steps: u64,
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
                    panic!("going on after {steps} steps: {error}");
                }
            }
            let found = contents(folder.path());
            assert!(found.keys().eq(expected.keys()), "killed after {steps} steps: {:?}", found.keys());
            assert!(found == expected, "killed after {steps} steps: other contents");
            if finished {
                assert!(steps >= least_steps, "only {steps} steps");
                return;
            }
        }
    }

    fn injected() -> io::Error {
        io::Error::new(io::ErrorKind::StorageFull, "injected")
    }

    /// A step that is done or not.
    pub(super) fn step(path: &Path) -> io::Result<()> {
        bytes_written(path, 1).and_then(|written| if written == 1 { Ok(()) } else { Err(injected()) })
    }

    /// How many of `length` bytes get into the file: of the first write that fails, half.
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
    fn a_file_is_replaced_whole_or_not_at_all() {
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
        assert!(steps >= 4, "open, cut, write, sync, rename: {steps}");
    }

    #[test]
    fn a_second_writer_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let first = LockedFile::open(&path).unwrap();
        assert_eq!(LockedFile::open(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        LockedFile::open(&path).unwrap();
    }

    #[test]
    fn the_same_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there"), "").unwrap();
        for name in ["there", "not-there"] {
            assert!(is_same(&folder.path().join(name), &folder.path().join(".").join(name)), "{name}");
            assert!(is_same(
                &folder.path().join(name),
                &folder.path().join("../").join(folder.path().file_name().unwrap()).join(name)
            ));
        }
        assert!(!is_same(&folder.path().join("there"), &folder.path().join("not-there")));
    }

    #[test]
    fn a_foreign_file_is_not_replaceable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let check = || ensure_overwritable(&path, |bytes| bytes.starts_with(b"ours"));
        check().unwrap();
        std::fs::write(&path, "").unwrap();
        check().unwrap();
        std::fs::write(&path, "ours, of old").unwrap();
        check().unwrap();
        std::fs::write(&path, "a letter").unwrap();
        assert_eq!(check().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }
}
