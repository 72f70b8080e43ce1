//! Tree samples: quiet positions inside the search tree of self-play, each with the score or bound that the search
//! found.
//!
//! To choose one move, the search also scores dozens of other positions to some depth. Learning from all of them
//! instead of the root alone is TreeStrap (Veness, Silver, Uther and Blair, NIPS 2009).
//!
//! The tree samples of `FILE` are in `FILE.tree`. It consists of frames with an item for each game: the number of the
//! game (`u64`), how many samples there are (`u32`), and the samples, [`Sample::SIZE`] bytes each.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::games::format::fill;
use crate::games::frames::{self, FrameWriter, ItemBytes};
use crate::sample::Sample;
use enroque_runs::files::{self, AtPath};

/// Returns where the tree samples of the game file `path` are.
pub fn path(path: &Path) -> PathBuf {
    files::sibling(path, "tree")
}

const HEADER_SIZE: usize = 12;

/// Decodes the header of an item: the number of the game, and how many samples follow.
fn header(bytes: [u8; HEADER_SIZE]) -> (u64, usize) {
    let [a, b, c, d, e, f, g, h, count @ ..] = bytes;
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(count) as usize)
}

/// Returns how many bytes at the start of `bytes` are complete items. We stop before the first item
/// whose game number is `games` or more.
fn complete_len(bytes: &[u8], games: u64) -> usize {
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

pub struct TreeWriter(FrameWriter);

impl TreeWriter {
    /// Opens or creates the tree samples of the game file `games_path`, which holds `games` games, to append more.
    /// Drops samples of later games, which a killed process wrote before it could write those games.
    pub fn open(games_path: &Path, games: u64) -> Result<Self> {
        Ok(Self(FrameWriter::open(&path(games_path), |bytes| complete_len(bytes, games))?))
    }

    pub fn create(games_path: &Path) -> Result<Self> {
        Ok(Self(FrameWriter::create(&path(games_path))?))
    }

    /// Appends the samples of game `number`, counted from 0. Call this before writing the game: if we are killed in
    /// between, [`Self::open`] drops the samples.
    pub fn add(&mut self, number: u64, samples: &[Sample]) -> Result<()> {
        let mut item = number.to_le_bytes().to_vec();
        item.extend((samples.len() as u32).to_le_bytes());
        item.extend(samples.iter().flat_map(Sample::to_bytes));
        self.0.add(&item)
    }

    pub fn finish(self) -> Result<()> {
        self.0.finish()
    }
}

/// Iterates over the games and returns the tree samples of each.
pub struct TreeReader {
    path: PathBuf,
    input: ItemBytes,
}

impl TreeReader {
    /// Opens the tree samples of the game file `games_path`; `None` if it has none.
    pub fn open(games_path: &Path) -> Result<Option<Self>> {
        let path = path(games_path);
        if !path.exists() {
            return Ok(None);
        }
        let input = frames::open(&path, |bytes| complete_len(bytes, u64::MAX))?;
        Ok(Some(Self { path, input }))
    }

    fn read(&mut self) -> Result<Option<Vec<Sample>>> {
        let mut first = [0; HEADER_SIZE];
        if !fill(&mut self.input, &mut first, "damaged: cut off")? {
            return Ok(None);
        }
        let (_, count) = header(first);
        let mut bytes = [0; Sample::SIZE];
        let mut samples = Vec::new();
        for _ in 0..count {
            self.input.read_exact(&mut bytes)?;
            samples.push(Sample::from_bytes(&bytes).context("damaged: a sample is invalid")?);
        }
        Ok(Some(samples))
    }
}

impl Iterator for TreeReader {
    type Item = Result<Vec<Sample>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().at(&self.path).transpose()
    }
}
