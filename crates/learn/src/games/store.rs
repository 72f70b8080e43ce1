//! Reader and writer of files of games; see [`frames`] for the container.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::games::format::{Game, GameError};
use crate::games::frames::{self, FrameError, FrameWriter, ItemBytes};

/// Error of a file of games or of tree samples.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FrameError),
    /// A game is invalid.
    #[error("{}, game {game}: {reason}", path.display())]
    Game {
        /// File of games.
        path: PathBuf,
        /// Number of the game, from 1.
        game: u64,
        /// Cause.
        reason: GameError,
    },
}

/// Returns the length of the complete games in `bytes`.
fn complete_len(bytes: &[u8]) -> usize {
    let mut cursor = Cursor::new(bytes);
    let mut length = 0;
    while let Ok(Some(_)) = Game::read(&mut cursor) {
        length = cursor.position() as usize;
    }
    length
}

/// Reader of the games of a file, finished or not, in order.
pub struct GameReader {
    path: PathBuf,
    input: ItemBytes,
    game: u64,
}

impl GameReader {
    /// Opens the file of games `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), input: frames::open(path, complete_len)?, game: 0 })
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

/// Writer of a file of games. Games passed to [`Self::add`] survive the end of the process.
pub struct GameWriter {
    path: PathBuf,
    frames: FrameWriter,
}

impl GameWriter {
    /// Opens or creates `path` to append games, and repairs a file that a killed process left.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or another process writes to it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), frames: FrameWriter::open(path, complete_len)? })
    }

    /// Creates `path`, or overwrites an existing file of games.
    ///
    /// # Errors
    /// Returns an error if the file holds something else, cannot be written, or another process writes to it.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), frames: FrameWriter::create(path)? })
    }

    /// Returns a reader of the games written so far.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn games(&self) -> Result<GameReader, StoreError> {
        Ok(GameReader { path: self.path.clone(), input: self.frames.items()?, game: 0 })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn add(&mut self, game: &Game) -> Result<(), StoreError> {
        let mut bytes = Vec::with_capacity(game.size());
        game.write(&mut bytes).map_err(|reason| FrameError { path: self.path.clone(), reason })?;
        Ok(self.frames.add(&bytes)?)
    }

    /// Finishes the file and removes its tail.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(self) -> Result<(), StoreError> {
        Ok(self.frames.finish()?)
    }
}
