//! Files that grow by items for hours: zstd frames of whole items, and beside a file that is still being written its
//! tail, the items not yet compressed.
//!
//! A process may be killed at any moment. The tail begins with the length that the file had when the tail was begun, so
//! it is always known which items are in both: bytes of the file beyond that length are the tail's items half or wholly
//! written, and count for nothing.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::util::files::{self, LockedFile};

/// Bytes of items that make a frame; few in tests, where files are small.
const FRAME_SIZE: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 };
const COMPRESSION_LEVEL: i32 = 9;
/// What every frame begins with.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The tail's first bytes.
const HEADER_SIZE: usize = 8;

/// The system's complaint of a file.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct FrameError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub reason: io::Error,
}

/// Gives a complaint of the system its file.
fn at(path: &Path) -> impl Fn(io::Error) -> FrameError + '_ {
    move |reason| FrameError { path: path.to_owned(), reason }
}

/// Where what is not sealed yet lies: there is such a file as long as a run has not come to its end.
pub fn tail_path(path: &Path) -> PathBuf {
    files::sibling(path, "tail")
}

/// The tail of `path`: how much of the file counts, and the tail's bytes; `None` when the file is finished.
fn read_tail(path: &Path) -> Result<Option<(u64, Vec<u8>)>, FrameError> {
    let tail = tail_path(path);
    let bytes = match std::fs::read(&tail) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(&tail)(error)),
    };
    let Some((header, items)) = bytes.split_first_chunk::<HEADER_SIZE>() else { return Ok(None) };
    Ok(Some((u64::from_le_bytes(*header), items.to_vec())))
}

/// The bytes of all whole items, one after the other.
pub type ItemBytes = Box<dyn Read + Send>;

/// Reads the items of a file, finished or not. Of the bytes of its tail `whole` says how many are whole items.
///
/// # Errors
/// When it cannot be read.
pub fn open(path: &Path, whole: impl Fn(&[u8]) -> usize) -> Result<ItemBytes, FrameError> {
    let file = File::open(path).map_err(at(path))?;
    let size = file.metadata().map_err(at(path))?.len();
    let (length, mut rest) = read_tail(path)?.unwrap_or((size, Vec::new()));
    rest.truncate(whole(&rest));
    items(file, length, rest).map_err(at(path))
}

/// The items of the first `length` bytes of `file`, then those that `rest` holds.
fn items(file: File, length: u64, rest: Vec<u8>) -> io::Result<ItemBytes> {
    let rest = Cursor::new(rest);
    if length == 0 {
        return Ok(Box::new(rest));
    }
    let frames = zstd::Decoder::new(file.take(length))?;
    Ok(Box::new(BufReader::with_capacity(FRAME_SIZE, frames).chain(rest)))
}

/// Adds items to a file. What [`Self::add`] has taken survives the end of the process.
pub struct FrameWriter {
    path: PathBuf,
    file: LockedFile,
    /// How much of the file counts.
    length: u64,
    /// The tail's items.
    pending: Vec<u8>,
}

impl FrameWriter {
    /// Opens `path` to add to it, or begins it, and mends what a killed process left. Of the bytes of its tail `whole`
    /// says how many are whole items that are to stay.
    ///
    /// # Errors
    /// When it holds something else or cannot be written, or another process writes to it.
    pub fn open(path: &Path, whole: impl Fn(&[u8]) -> usize) -> Result<Self, FrameError> {
        ensure_overwritable(path)?;
        let file = LockedFile::open(path).map_err(at(path))?;
        let size = file.size().map_err(at(path))?;
        let (length, mut pending) = read_tail(path)?.unwrap_or((size, Vec::new()));
        pending.truncate(whole(&pending));
        begin_tail(path, length, &pending)?;
        Ok(Self { path: path.to_owned(), file, length, pending })
    }

    /// Begins `path` anew; what it holds must be frames or nothing.
    ///
    /// # Errors
    /// When it holds something else or cannot be written, or another process writes to it.
    pub fn create(path: &Path) -> Result<Self, FrameError> {
        ensure_overwritable(path)?;
        let file = LockedFile::open(path).map_err(at(path))?;
        begin_tail(path, 0, &[])?;
        Ok(Self { path: path.to_owned(), file, length: 0, pending: Vec::new() })
    }

    /// The items that the file holds so far.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn items(&self) -> Result<ItemBytes, FrameError> {
        let file = self.file.reader().map_err(at(&self.path))?;
        items(file, self.length, self.pending.clone()).map_err(at(&self.path))
    }

    /// Adds an item. The last one always stays in the tail, where [`Self::open`] can still drop it.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn add(&mut self, item: &[u8]) -> Result<(), FrameError> {
        if self.pending.len() >= FRAME_SIZE {
            self.seal()?;
        }
        self.pending.extend_from_slice(item);
        let tail = tail_path(&self.path);
        files::append(&tail, item).map_err(at(&tail))
    }

    /// Moves the tail's items into the file.
    fn seal(&mut self) -> Result<(), FrameError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let frame = zstd::encode_all(self.pending.as_slice(), COMPRESSION_LEVEL).map_err(at(&self.path))?;
        let mut write = || {
            // Beyond the length may lie what a killed process wrote.
            self.file.truncate(self.length)?;
            self.file.write_all(&frame)?;
            self.file.sync()
        };
        write().map_err(at(&self.path))?;
        self.length += frame.len() as u64;
        self.pending.clear();
        begin_tail(&self.path, self.length, &[])
    }

    /// Finishes the file, which then stands without a tail.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn finish(mut self) -> Result<(), FrameError> {
        self.seal()?;
        self.file.truncate(self.length).map_err(at(&self.path))?;
        let tail = tail_path(&self.path);
        files::remove(&tail).map_err(at(&tail))
    }
}

/// Checks that writing frames to `path` destroys nothing: that there are none yet, or frames, the first perhaps cut off.
///
/// # Errors
/// When it holds something else.
pub fn ensure_overwritable(path: &Path) -> Result<(), FrameError> {
    let is_ours = |bytes: &[u8]| bytes.starts_with(&ZSTD_MAGIC) || ZSTD_MAGIC.starts_with(bytes);
    files::ensure_overwritable(path, is_ours).map_err(at(path))
}

/// Puts a new tail in the place of the old one, at once or not at all.
fn begin_tail(path: &Path, length: u64, items: &[u8]) -> Result<(), FrameError> {
    let tail = tail_path(path);
    files::replace(&tail, &[&length.to_le_bytes(), items].concat()).map_err(at(&tail))
}
