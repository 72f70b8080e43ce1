//! What the searches of self-play saw on their way: quiet positions inside the tree, each with the score that its own
//! sub-search gave it, or a bound of it.
//!
//! A search that decides one move has searched dozens of other positions to some depth; they are there for the taking.
//! Learning from all of them in place of the root alone is TreeStrap (Veness, Silver, Uther and Blair, NIPS 2009). Of
//! equal hours of self-play a network learnt +93 ± 25 Elo more with them than from the games alone (from random weights,
//! 600 games at 1,500 nodes).
//!
//! They stand beside a file of games, in frames, an item for each game: its number (`u64`), how many samples follow
//! (`u32`), and those, of [`Sample::SIZE`] bytes each.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::chess::{Board, Move};
use crate::learn::games::frames::{self, FrameError, FrameWriter, ItemBytes};
use crate::learn::train::samples::{MAX_HALFMOVE_CLOCK, Sample};
use crate::search::evaluation::is_known_ending;
use crate::search::score::Score;
use crate::search::{NodeObserver, SearchedNode};
use crate::util::files;

/// Scores further out say that the game is over, not how the position stands.
const MAX_SCORE: Score = 5_000;

/// Where the tree samples of the file of games `path` are.
pub fn path(path: &Path) -> PathBuf {
    files::sibling(path, "tree")
}

/// Collects samples as a search goes through the tree.
pub struct Collector {
    /// Least depth of a node's sub-search, plies; `None` to collect nothing.
    pub depth: Option<i32>,
    /// What has been collected.
    pub samples: Vec<Sample>,
}

impl NodeObserver for Collector {
    fn on_node(&mut self, board: &Board, node: SearchedNode) {
        let is_wanted = self.depth.is_some_and(|depth| node.depth >= depth)
            && !board.in_check()
            && node.best_move.is_none_or(Move::is_quiet)
            && node.score.abs() < MAX_SCORE
            && board.halfmove_clock() < MAX_HALFMOVE_CLOCK
            && !is_known_ending(board)
            // Every other position: those of one line are much alike.
            && board.key() & (1 << 17) == 0;
        if is_wanted {
            self.samples.extend(Sample::of_tree(board, node.score, node.bound));
        }
    }
}

/// Bytes before the samples of a game.
const HEADER_SIZE: usize = 12;

/// Number of the game, and how many samples follow.
fn header(bytes: [u8; HEADER_SIZE]) -> (u64, usize) {
    let [a, b, c, d, e, f, g, h, count @ ..] = bytes;
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(count) as usize)
}

/// How many of these bytes are whole items of the first `games` games.
fn whole(bytes: &[u8], games: u64) -> usize {
    let mut length = 0;
    while let Some((first, rest)) = bytes[length..].split_first_chunk() {
        let (number, count) = header(*first);
        let size = count.saturating_mul(Sample::SIZE);
        if number >= games || size > rest.len() {
            break;
        }
        length += HEADER_SIZE + size;
    }
    length
}

/// Adds the samples of games to a file.
pub struct TreeWriter(FrameWriter);

impl TreeWriter {
    /// Opens the tree samples of the file of games `games_path`, which holds `games` games, to add to them, or begins
    /// them. What is there of later games, from a process that was killed before it wrote the game, is dropped.
    ///
    /// # Errors
    /// When the file cannot be written, or another process writes to it.
    pub fn open(games_path: &Path, games: u64) -> Result<Self, FrameError> {
        Ok(Self(FrameWriter::open(&path(games_path), |bytes| whole(bytes, games))?))
    }

    /// Begins them anew.
    ///
    /// # Errors
    /// When the file holds something else or cannot be written, or another process writes to it.
    pub fn create(games_path: &Path) -> Result<Self, FrameError> {
        Ok(Self(FrameWriter::create(&path(games_path))?))
    }

    /// Adds the samples of game `number`, counted from 0. They are to be written before their game.
    ///
    /// # Errors
    /// When the disk does not take them.
    pub fn add(&mut self, number: u64, samples: &[Sample]) -> Result<(), FrameError> {
        let mut item = number.to_le_bytes().to_vec();
        item.extend((samples.len() as u32).to_le_bytes());
        item.extend(samples.iter().flat_map(Sample::to_bytes));
        self.0.add(&item)
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn finish(self) -> Result<(), FrameError> {
        self.0.finish()
    }
}

/// Reads the samples of a file, game by game.
pub struct TreeReader {
    path: PathBuf,
    input: ItemBytes,
}

impl TreeReader {
    /// The tree samples of the file of games `games_path`; `None` when it has none.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn open(games_path: &Path) -> Result<Option<Self>, FrameError> {
        let path = path(games_path);
        if !path.exists() {
            return Ok(None);
        }
        let input = frames::open(&path, |bytes| whole(bytes, u64::MAX))?;
        Ok(Some(Self { path, input }))
    }

    fn read(&mut self) -> std::io::Result<Option<Vec<Sample>>> {
        let mut first = [0; HEADER_SIZE];
        if self.input.read(&mut first[..1])? == 0 {
            return Ok(None);
        }
        self.input.read_exact(&mut first[1..])?;
        let (_, count) = header(first);
        let mut bytes = [0; Sample::SIZE];
        let mut samples = Vec::new();
        for _ in 0..count {
            self.input.read_exact(&mut bytes)?;
            samples.extend(Sample::from_bytes(&bytes));
        }
        if samples.len() == count {
            return Ok(Some(samples));
        }
        Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "holds what is no position"))
    }
}

impl Iterator for TreeReader {
    type Item = Result<Vec<Sample>, FrameError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().map_err(|reason| FrameError { path: self.path.clone(), reason }).transpose()
    }
}
