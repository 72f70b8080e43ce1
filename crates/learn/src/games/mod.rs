//! Game files: [`mod@format`] encodes a game, and [`frames`] is the crash-safe container around the games.

pub mod format;
pub mod frames;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use self::format::Game;
use self::frames::{FrameWriter, ItemBytes};

/// Returns how many bytes at the start of `bytes` are complete games.
fn complete_len(bytes: &[u8]) -> usize {
    let mut cursor = Cursor::new(bytes);
    let mut length = 0;
    while let Ok(Some(_)) = Game::read(&mut cursor) {
        length = cursor.position() as usize;
    }
    length
}

/// Iterates over the games in a file, finished or not.
pub struct GameReader {
    path: PathBuf,
    input: ItemBytes,
    game: u64,
}

impl GameReader {
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

/// Appends games to a file. Once [`Self::add`] has returned, the game survives even if this process is killed.
pub struct GameWriter(FrameWriter);

impl GameWriter {
    /// Opens or creates `path` to append games, and repairs what a killed process left.
    pub fn open(path: &Path) -> Result<Self> {
        FrameWriter::open(path, complete_len).map(Self)
    }

    /// Creates `path`, or empties an old game file. Fails if any other file has this name.
    pub fn create(path: &Path) -> Result<Self> {
        FrameWriter::create(path).map(Self)
    }

    /// Returns all games written so far, including those from before we resumed the run.
    pub fn games(&self) -> Result<GameReader> {
        Ok(GameReader { path: self.0.path().to_owned(), input: self.0.items()?, game: 0 })
    }

    pub fn add(&mut self, game: &Game) -> Result<()> {
        let mut bytes = Vec::with_capacity(game.size());
        game.write(&mut bytes)?;
        self.0.add(&bytes)
    }

    pub fn finish(self) -> Result<()> {
        self.0.finish()
    }
}
