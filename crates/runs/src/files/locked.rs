//! Locked files that grow in place, and single steps on files.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::fault;
use super::open::open_regular_with;
use super::paths::is_same_inode;

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
    /// Returns an error if the file cannot be opened, is not a regular file, or another process has locked it.
    pub fn open(path: &Path) -> io::Result<Self> {
        loop {
            fault::step(path)?;
            let mut options = OpenOptions::new();
            let file = open_regular_with(options.read(true).write(true).create(true).truncate(false), path)?;
            lock(&file)?;
            // Another process may have replaced or removed the file before the lock.
            if is_at(path, &file) {
                return Ok(Self { path: path.to_owned(), file });
            }
        }
    }

    /// Creates and locks a new file. A link of this name is not followed.
    pub(super) fn create_new(path: &Path) -> io::Result<Self> {
        fault::step(path)?;
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        lock(&file)?;
        // Another process may have taken the file for the remains of a killed one.
        if is_at(path, &file) {
            return Ok(Self { path: path.to_owned(), file });
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Unlocks the file, if its file system has locks.
    pub(super) fn unlock(&self) -> io::Result<()> {
        match self.file.unlock() {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
            result => result,
        }
    }

    /// Returns the handle.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Returns the path under which the file was opened.
    pub(super) fn path(&self) -> &Path {
        &self.path
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

/// Locks a file. Returns `false` if the file system has no locks.
///
/// # Errors
/// Returns an error if another process has locked it.
pub(super) fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another process is writing to it; wait for it, or write to another file",
        )),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns `true` if `path` still names the open file.
fn is_at(path: &Path, file: &File) -> bool {
    let (Ok(named), Ok(open)) = (path.metadata(), file.metadata()) else { return false };
    is_same_inode(&named, &open).unwrap_or(true)
}

/// Appends `bytes` to the file.
///
/// # Errors
/// Returns an error if the disk fails; part of the bytes may have been appended.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_regular_with(OpenOptions::new().append(true), path)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_writer_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let first = LockedFile::open(&path).unwrap();
        assert_eq!(LockedFile::open(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        LockedFile::open(&path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn replaced_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "old").unwrap();
        let old = File::open(&path).unwrap();
        assert!(is_at(&path, &old));
        std::fs::write(folder.path().join("new"), "new").unwrap();
        std::fs::rename(folder.path().join("new"), &path).unwrap();
        assert!(!is_at(&path, &old));
        std::fs::remove_file(&path).unwrap();
        assert!(!is_at(&path, &old));
    }

    #[cfg(unix)]
    #[test]
    fn new_file_follows_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let (precious, link) = (folder.path().join("precious"), folder.path().join("link"));
        std::os::unix::fs::symlink(&precious, &link).unwrap();
        assert_eq!(LockedFile::create_new(&link).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(!precious.exists());
    }
}
