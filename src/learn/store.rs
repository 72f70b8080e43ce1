//! Files of games: zstd frames of whole games, and beside a file that is still being written its tail, the
//! games not yet compressed.
//!
//! A process may be killed at any moment. The tail begins with the length that the file had when the tail was
//! begun, so it is always known which games are in both: bytes of the file beyond that length are the tail's
//! games half or wholly written, and count for nothing.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game::{Game, GameError};

/// Bytes of games that make a frame.
const FRAME_SIZE: usize = 1 << 20;
const COMPRESSION_LEVEL: i32 = 9;
/// The tail's first bytes.
const HEADER_SIZE: usize = 8;

/// What is wrong with a file of games.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The system's complaint.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    #[error("{}, game {game}: {reason}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        game: u64,
        /// What is wrong.
        reason: GameError,
    },
}

/// Gives a complaint of the system its file.
fn at(path: &Path) -> impl Fn(io::Error) -> StoreError + '_ {
    move |reason| StoreError::File { path: path.to_owned(), reason }
}

fn tail_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tail");
    name.into()
}

/// The tail of `path`: how much of the file counts, and the bytes of the tail's whole games; `None` when the
/// file is finished.
fn read_tail(path: &Path) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
    let tail = tail_path(path);
    let bytes = match std::fs::read(&tail) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(&tail)(error)),
    };
    let Some((header, games)) = bytes.split_first_chunk::<HEADER_SIZE>() else { return Ok(None) };
    let mut cursor = Cursor::new(games);
    let mut whole = 0;
    while let Ok(Some(_)) = Game::read(&mut cursor) {
        whole = cursor.position() as usize;
    }
    Ok(Some((u64::from_le_bytes(*header), games[..whole].to_vec())))
}

/// Reads the games of a file, finished or not, in order.
pub struct GameReader {
    path: PathBuf,
    input: Box<dyn Read + Send>,
    game: u64,
}

impl GameReader {
    /// The games of `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(at(path))?;
        let whole = file.metadata().map_err(at(path))?.len();
        let (length, rest) = read_tail(path)?.unwrap_or((whole, Vec::new()));
        let rest = Cursor::new(rest);
        let input: Box<dyn Read + Send> = if length == 0 {
            Box::new(rest)
        } else {
            let frames = zstd::Decoder::new(file.take(length)).map_err(at(path))?;
            Box::new(BufReader::with_capacity(FRAME_SIZE, frames).chain(rest))
        };
        Ok(Self { path: path.to_owned(), input, game: 0 })
    }
}

impl Iterator for GameReader {
    type Item = Result<Game, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game += 1;
        Game::read(&mut self.input)
            .map_err(|reason| StoreError::Game { path: self.path.clone(), game: self.game, reason })
            .transpose()
    }
}

/// Adds games to a file. What [`Self::add`] has taken survives the end of the process.
pub struct GameWriter {
    path: PathBuf,
    file: File,
    tail: File,
    /// The tail's games.
    pending: Vec<u8>,
}

impl GameWriter {
    /// Opens `path` to add to it, or begins it, and mends what a killed process left.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(at(path))?;
        let pending = match read_tail(path)? {
            Some((length, games)) => {
                file.set_len(length).map_err(at(path))?;
                games
            }
            None => Vec::new(),
        };
        let length = file.seek(SeekFrom::End(0)).map_err(at(path))?;
        let tail = begin_tail(path, length, &pending)?;
        Ok(Self { path: path.to_owned(), file, tail, pending })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn add(&mut self, game: &Game) -> Result<(), StoreError> {
        let before = self.pending.len();
        game.write(&mut self.pending).map_err(at(&self.path))?;
        self.tail.write_all(&self.pending[before..]).map_err(at(&tail_path(&self.path)))?;
        if self.pending.len() >= FRAME_SIZE { self.seal() } else { Ok(()) }
    }

    /// Moves the tail's games into the file.
    fn seal(&mut self) -> Result<(), StoreError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let frame = zstd::encode_all(self.pending.as_slice(), COMPRESSION_LEVEL).map_err(at(&self.path))?;
        self.file.write_all(&frame).and_then(|()| self.file.sync_data()).map_err(at(&self.path))?;
        let length = self.file.stream_position().map_err(at(&self.path))?;
        self.pending.clear();
        self.tail = begin_tail(&self.path, length, &[])?;
        Ok(())
    }

    /// Finishes the file, which then stands without a tail.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.seal()?;
        let tail = tail_path(&self.path);
        std::fs::remove_file(&tail).map_err(at(&tail))
    }
}

/// Puts a new tail in the place of the old one, at once or not at all.
fn begin_tail(path: &Path, length: u64, games: &[u8]) -> Result<File, StoreError> {
    let tail = tail_path(path);
    let mut fresh = tail.clone().into_os_string();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let file = File::create(&fresh).map_err(at(&fresh))?;
    let mut out = BufWriter::new(file);
    out.write_all(&length.to_le_bytes()).and_then(|()| out.write_all(games)).map_err(at(&fresh))?;
    let file = out.into_inner().map_err(|error| at(&fresh)(error.into_error()))?;
    std::fs::rename(&fresh, &tail).map_err(at(&tail))?;
    Ok(file)
}
