//! Reader and writer of files of games; see [`frames`] for the container.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::games::format::Game;
use crate::games::frames::{self, FrameWriter, ItemBytes};

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
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { path: path.to_owned(), input: frames::open(path, complete_len)?, game: 0 })
    }
}

impl Iterator for GameReader {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game += 1;
        let game = Game::read(&mut self.input);
        game.with_context(|| format!("{}, game {}", self.path.display(), self.game)).transpose()
    }
}

/// Writer of a file of games. Games passed to [`Self::add`] survive the end of the process.
pub struct GameWriter(FrameWriter);

impl GameWriter {
    /// Opens or creates `path` to append games, and repairs a file that a killed process left.
    pub fn open(path: &Path) -> Result<Self> {
        FrameWriter::open(path, complete_len).map(Self)
    }

    /// Creates `path`, or overwrites an existing file of games, but no other file.
    pub fn create(path: &Path) -> Result<Self> {
        FrameWriter::create(path).map(Self)
    }

    /// Returns a reader of the games written so far.
    pub fn games(&self) -> Result<GameReader> {
        Ok(GameReader { path: self.0.path().to_owned(), input: self.0.items()?, game: 0 })
    }

    /// Appends a game.
    pub fn add(&mut self, game: &Game) -> Result<()> {
        let mut bytes = Vec::with_capacity(game.size());
        game.write(&mut bytes)?;
        self.0.add(&bytes)
    }

    /// Finishes the file and removes its tail.
    pub fn finish(self) -> Result<()> {
        self.0.finish()
    }
}
