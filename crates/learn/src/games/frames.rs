//! Crash-safe container files that grow item by item.
//!
//! A file is a series of frames: gzip members, each of which holds complete items. While the file is unfinished, a
//! second file lies next to it, the tail, with the items that we haven't compressed yet.
//!
//! We may be killed at any moment, even while we compress the tail into the main file. So the tail begins with the
//! number of bytes in the main file that are valid. Whatever follows them in the main file is a copy of the tail's
//! items, perhaps an incomplete one, and we ignore it.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use flate2::Compression;
use flate2::read::{GzEncoder, MultiGzDecoder};

use enroque_runs::files::{self, AtPath, LockedFile};

/// We compress the tail into a frame once it has at least this many bytes. Tests use small frames, so that even a small
/// file has several.
const FRAME_SIZE: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 };
/// Every gzip member begins with these bytes, and so does every frame.
const GZIP_MAGIC: [u8; 3] = [0x1F, 0x8B, 8];
/// Files from version 0.2.0 or older are compressed with zstd and begin with these bytes.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Size of the tail's header, a little-endian `u64` that says how many bytes of the main file are valid.
const HEADER_SIZE: usize = 8;

/// Returns the path of the tail, which exists until the file is finished.
pub fn tail_path(path: &Path) -> PathBuf {
    files::sibling(path, "tail")
}

/// Whether `path` has a tail that belongs to it. If so, a writer would add to this file instead of beginning a new one.
pub fn has_tail(path: &Path) -> bool {
    read_tail(path).is_ok_and(|tail| tail.is_some())
}

/// Reads the tail of `path`. Returns how many bytes of the main file are valid, and the tail's items; `None` if the
/// file is finished. If the length in the tail exceeds the size of the main file, the tail belongs to another file, and
/// we refuse it.
fn read_tail(path: &Path) -> Result<Option<(u64, Vec<u8>)>> {
    let tail = tail_path(path);
    let mut bytes = Vec::new();
    match files::open_regular(&tail).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).at(&tail),
    };
    let size = std::fs::metadata(path).map_or(0, |file| file.len());
    let tail_header =
        bytes.split_first_chunk::<HEADER_SIZE>().filter(|(header, _)| u64::from_le_bytes(**header) <= size);
    let Some((header, items)) = tail_header else {
        let [tail, path] = [&tail, path].map(Path::display);
        bail!("{tail}: is not the tail of {path}; remove it or choose another output file");
    };
    Ok(Some((u64::from_le_bytes(*header), items.to_vec())))
}

/// Reads the bytes of all complete items, one after another.
pub type ItemBytes = Box<dyn Read + Send>;

/// How much of a file without gzip we look at, to see whether it has items: more than the longest game takes.
const LOOK_SIZE: u64 = 1 << 16;

/// Opens a file, finished or not, to read its items, which other programs may have written without gzip. `complete_len`
/// returns how many bytes of the tail to read.
pub fn open(path: &Path, complete_len: impl Fn(&[u8]) -> usize) -> Result<ItemBytes> {
    // We read the tail first. If a writer compresses the tail meanwhile, we still have its items and ignore the new
    // frame.
    let tail = read_tail(path)?;
    let file = files::open_regular(path).at(path)?;
    refuse_zstd(path)?;
    let size = file.metadata().at(path)?.len();
    let is_plain = tail.is_none() && size > 0 && !starts_with(path, &GZIP_MAGIC);
    let (length, mut rest) = tail.unwrap_or((size, Vec::new()));
    let mut head = Vec::new();
    if is_plain {
        files::open_regular(path).and_then(|file| file.take(LOOK_SIZE).read_to_end(&mut head)).at(path)?;
    }
    ensure!(
        length == 0 || starts_with(path, &GZIP_MAGIC) || complete_len(&head) > 0,
        "{}: was not written by 'enroque-learn datagen', nor by another program in its format",
        path.display()
    );
    if is_plain {
        return Ok(Box::new(BufReader::with_capacity(FRAME_SIZE, file)));
    }
    rest.truncate(complete_len(&rest));
    Ok(items(file, length, rest))
}

/// Reads the frames in the first `length` bytes of `file`, then the uncompressed items in `rest`.
fn items(file: File, length: u64, rest: Vec<u8>) -> ItemBytes {
    let rest = Cursor::new(rest);
    if length == 0 {
        return Box::new(rest);
    }
    let frames = MultiGzDecoder::new(file.take(length));
    Box::new(BufReader::with_capacity(FRAME_SIZE, frames).chain(rest))
}

/// Appends items to a file. Once [`Self::add`] has returned, the item survives even if this process is killed.
pub struct FrameWriter {
    path: PathBuf,
    file: LockedFile,
    /// How many bytes of the file are complete frames.
    length: u64,
    /// The tail's items, uncompressed.
    pending: Vec<u8>,
}

impl FrameWriter {
    /// Opens or creates `path` to append items, and repairs what a killed process left. `complete_len` returns how many
    /// bytes of the tail to keep.
    pub fn open(path: &Path, complete_len: impl Fn(&[u8]) -> usize) -> Result<Self> {
        ensure_overwritable(path)?;
        let file = LockedFile::open(path).at(path)?;
        let size = file.size().at(path)?;
        let (length, mut pending) = read_tail(path)?.unwrap_or((size, Vec::new()));
        pending.truncate(complete_len(&pending));
        replace_tail(path, length, &pending)?;
        Ok(Self { path: path.to_owned(), file, length, pending })
    }

    /// Creates `path`, or empties an old file of frames. Fails if any other file has this name.
    pub fn create(path: &Path) -> Result<Self> {
        ensure_overwritable(path)?;
        // This fails if the tail belongs to another file.
        read_tail(path)?;
        let file = LockedFile::open(path).at(path)?;
        replace_tail(path, 0, &[])?;
        Ok(Self { path: path.to_owned(), file, length: 0, pending: Vec::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all items written so far, including those in the tail.
    pub fn items(&self) -> Result<ItemBytes> {
        let file = self.file.reader().at(&self.path)?;
        Ok(items(file, self.length, self.pending.clone()))
    }

    /// Appends an item. The last item always stays in the tail, so that a later [`Self::open`] can still drop it.
    pub fn add(&mut self, item: &[u8]) -> Result<()> {
        if self.pending.len() >= FRAME_SIZE {
            self.seal()?;
        }
        self.pending.extend_from_slice(item);
        let tail = tail_path(&self.path);
        files::append(&tail, item).at(&tail)
    }

    /// Compresses the tail's items into a frame of the main file.
    fn seal(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut frame = Vec::new();
        let mut write = || {
            GzEncoder::new(self.pending.as_slice(), Compression::default()).read_to_end(&mut frame)?;
            // An earlier process, killed at this point, can have left bytes beyond the valid length.
            self.file.truncate(self.length)?;
            self.file.write_all(&frame)?;
            self.file.sync()
        };
        write().at(&self.path)?;
        self.length += frame.len() as u64;
        self.pending.clear();
        replace_tail(&self.path, self.length, &[])
    }

    /// Compresses the rest of the tail into the main file, then removes the tail: a file without a tail is finished.
    pub fn finish(mut self) -> Result<()> {
        self.seal()?;
        self.file.truncate(self.length).at(&self.path)?;
        let tail = tail_path(&self.path);
        std::fs::remove_file(&tail).at(&tail)
    }
}

/// Checks that `path` is missing or empty, or begins with a frame, which may be truncated.
pub fn ensure_overwritable(path: &Path) -> Result<()> {
    refuse_zstd(path)?;
    let is_ours = |bytes: &[u8]| bytes.starts_with(&GZIP_MAGIC) || GZIP_MAGIC.starts_with(bytes);
    files::ensure_overwritable(path, is_ours).at(path)
}

fn starts_with(path: &Path, magic: &[u8]) -> bool {
    let mut start = vec![0; magic.len()];
    files::open_regular(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == magic
}

fn refuse_zstd(path: &Path) -> Result<()> {
    let name = path.display();
    ensure!(
        !starts_with(path, &ZSTD_MAGIC),
        "{name}: compressed with zstd, as by version 0.2.0; `zstd -dc {name} | gzip >NEW.gz` converts it"
    );
    Ok(())
}

/// Replaces the tail in one step, so that a kill leaves either the old tail or the new one.
fn replace_tail(path: &Path, length: u64, items: &[u8]) -> Result<()> {
    let tail = tail_path(path);
    files::replace(&tail, &[&length.to_le_bytes(), items].concat()).at(&tail)
}
