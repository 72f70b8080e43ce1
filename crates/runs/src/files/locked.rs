//! Files that grow in place, locked against a second writer.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::checks::ensure_regular;

/// File that only this process writes to. A second process cannot open it as `LockedFile`.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens and locks the file; creates it if it is missing.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is not a regular file, or another process has locked it.
    pub fn open(path: &Path) -> io::Result<Self> {
        ensure_regular(path)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                "another process is writing to it; wait for it, or write to another file",
            )),
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Self(file)),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Reads the whole file.
    pub fn read_all(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Returns the size of the file in bytes.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Truncates the file to `length` bytes and moves the write position there.
    pub fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::Start(length))?;
        Ok(())
    }

    /// Waits until all written data is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    /// Returns a second handle that reads from the start. Both share one position: call [`Self::truncate`] before you write
    /// again.
    pub fn reader(&self) -> io::Result<File> {
        let mut file = self.0.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

impl Write for LockedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Appends `bytes` to an existing file.
///
/// # Errors
/// Returns an error if the disk fails; part of the bytes may have been appended.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(bytes)
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
        assert!(LockedFile::open(folder.path()).is_err());
    }

    #[test]
    fn file_grows_after_reading() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "whole, to").unwrap();
        let mut file = LockedFile::open(&path).unwrap();
        assert_eq!(file.read_all().unwrap(), b"whole, to");
        file.truncate(5).unwrap();
        file.write_all(b"!").unwrap();
        let mut text = String::new();
        file.reader().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), file.size().unwrap()), ("whole!", 6));
        append(&path, b"?").unwrap();
        assert_eq!(file.read_all().unwrap(), b"whole!?");
    }
}
