//! Files of games, in frames: see [`frames`].

use std::io::Cursor;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::learn::games::format::{Game, GameError};
use crate::learn::games::frames::{self, FrameError, FrameWriter, ItemBytes};

/// What is wrong with a file of games, or of what their searches saw.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The system's complaint.
    #[error(transparent)]
    File(#[from] FrameError),
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

/// How many of these bytes are whole games.
fn whole(bytes: &[u8]) -> usize {
    let mut cursor = Cursor::new(bytes);
    let mut whole = 0;
    while let Ok(Some(_)) = Game::read(&mut cursor) {
        whole = cursor.position() as usize;
    }
    whole
}

/// Reads the games of a file, finished or not, in order.
pub struct GameReader {
    path: PathBuf,
    input: ItemBytes,
    game: u64,
}

impl GameReader {
    /// The games of `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), input: frames::open(path, whole)?, game: 0 })
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
    frames: FrameWriter,
}

impl GameWriter {
    /// Opens `path` to add to it, or begins it, and mends what a killed process left.
    ///
    /// # Errors
    /// When the file cannot be written, or another process writes to it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), frames: FrameWriter::open(path, whole)? })
    }

    /// Begins `path` anew; what it holds must be games or nothing.
    ///
    /// # Errors
    /// When it holds something else or cannot be written, or another process writes to it.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { path: path.to_owned(), frames: FrameWriter::create(path)? })
    }

    /// The games that the file holds so far.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn games(&self) -> Result<GameReader, StoreError> {
        Ok(GameReader { path: self.path.clone(), input: self.frames.items()?, game: 0 })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn add(&mut self, game: &Game) -> Result<(), StoreError> {
        let mut bytes = Vec::with_capacity(game.size());
        game.write(&mut bytes).map_err(|reason| FrameError { path: self.path.clone(), reason })?;
        Ok(self.frames.add(&bytes)?)
    }

    /// Finishes the file, which then stands without a tail.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn finish(self) -> Result<(), StoreError> {
        Ok(self.frames.finish()?)
    }
}
