//! Files of games: zstd frames of whole games, and beside a file that is still being written its tail, the
//! games not yet compressed.
//!
//! A process may be killed at any moment. The tail begins with the length that the file had when the tail was
//! begun, so it is always known which games are in both: bytes of the file beyond that length are the tail's
//! games half or wholly written, and count for nothing.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game::{Game, GameError};
use crate::files::{self, OwnFile};

/// Bytes of games that make a frame; few in tests, where files are small.
const FRAME_SIZE: usize = if cfg!(test) { 1 << 10 } else { 1 << 20 };
const COMPRESSION_LEVEL: i32 = 9;
/// What every frame begins with.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
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
    files::beside(path, "tail")
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
        Self::new(path, file, length, rest)
    }

    /// The games of the first `length` bytes of `file`, then those that `rest` holds.
    fn new(path: &Path, file: File, length: u64, rest: Vec<u8>) -> Result<Self, StoreError> {
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
    file: OwnFile,
    /// How much of the file counts.
    length: u64,
    /// The tail's games.
    pending: Vec<u8>,
}

impl GameWriter {
    /// Opens `path` to add to it, or begins it, and mends what a killed process left.
    ///
    /// # Errors
    /// When the file cannot be written, or another process writes to it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = OwnFile::open(path).map_err(at(path))?;
        let whole = file.size().map_err(at(path))?;
        let (length, pending) = read_tail(path)?.unwrap_or((whole, Vec::new()));
        begin_tail(path, length, &pending)?;
        let mut writer = Self { path: path.to_owned(), file, length, pending };
        // Killed between a game and the frame that it filled.
        writer.seal_if_full()?;
        Ok(writer)
    }

    /// Begins `path` anew; what it holds must be games or nothing.
    ///
    /// # Errors
    /// When it holds something else or cannot be written, or another process writes to it.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        files::check_replaceable(path, |bytes| bytes.starts_with(&ZSTD_MAGIC)).map_err(at(path))?;
        let file = OwnFile::open(path).map_err(at(path))?;
        begin_tail(path, 0, &[])?;
        Ok(Self { path: path.to_owned(), file, length: 0, pending: Vec::new() })
    }

    /// The games that the file holds so far.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn games(&self) -> Result<GameReader, StoreError> {
        let file = self.file.reader().map_err(at(&self.path))?;
        GameReader::new(&self.path, file, self.length, self.pending.clone())
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn add(&mut self, game: &Game) -> Result<(), StoreError> {
        let before = self.pending.len();
        game.write(&mut self.pending).map_err(at(&self.path))?;
        let tail = tail_path(&self.path);
        files::append(&tail, &self.pending[before..]).map_err(at(&tail))?;
        self.seal_if_full()
    }

    fn seal_if_full(&mut self) -> Result<(), StoreError> {
        if self.pending.len() >= FRAME_SIZE { self.seal() } else { Ok(()) }
    }

    /// Moves the tail's games into the file.
    fn seal(&mut self) -> Result<(), StoreError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let frame = zstd::encode_all(self.pending.as_slice(), COMPRESSION_LEVEL).map_err(at(&self.path))?;
        let mut write = || {
            // Beyond the length may lie what a killed process wrote.
            self.file.cut(self.length)?;
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
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.seal()?;
        self.file.cut(self.length).map_err(at(&self.path))?;
        let tail = tail_path(&self.path);
        files::remove(&tail).map_err(at(&tail))
    }
}

/// Puts a new tail in the place of the old one, at once or not at all.
fn begin_tail(path: &Path, length: u64, games: &[u8]) -> Result<(), StoreError> {
    let tail = tail_path(path);
    files::replace(&tail, &[&length.to_le_bytes(), games].concat()).map_err(at(&tail))
}
