//! The results file, which has a line of JSON for each game that we searched, and its manifest.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use super::finder::Dropped;
use super::games::GameFile;
use super::phase::Phase;
use super::puzzle::Puzzle;
use enroque::chess::FenStyle;
use enroque::nnue::Network;
use enroque::nnue::network::checksum;
use enroque_runs::manifest::Made;
use enroque_runs::rows::{Encoding, Row, Rows};

/// The settings that determine the results. The number of puzzles is not among them, so that a larger `--count`
/// continues a finished search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PuzzlesManifest {
    #[serde(flatten)]
    made: Made,
    /// Checksums of the PGN files to search.
    games: Vec<String>,
    /// The positions given by `--start`, in X-FEN.
    starts: Vec<String>,
    seed: u64,
    nodes: u64,
    moves: u32,
    phases: Vec<Phase>,
    hash: u64,
}

impl PuzzlesManifest {
    pub fn new(arguments: &Arguments, files: &[GameFile]) -> Self {
        let &Arguments { seed, nodes, moves, hash, ref phases, .. } = arguments;
        Self {
            made: Made::with(&Network::embedded()),
            games: files.iter().map(|file| format!("{:016x}", checksum(file.text.as_bytes()))).collect(),
            starts: arguments.starts.iter().map(|board| board.fen(FenStyle::XFen)).collect(),
            seed,
            nodes,
            moves,
            phases: phases.clone(),
            hash,
        }
    }
}

/// A game that we searched, the puzzle that we found in it, and the candidates that are no puzzles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchedGame {
    /// Index of the game: 0 on the first line, 1 on the next, without gaps.
    pub game: u64,
    pub puzzle: Option<Puzzle>,
    pub dropped: Vec<Dropped>,
    /// Whether the set had enough puzzles of this kind. Such puzzles fill the set up if there are too few in the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub surplus: bool,
}

impl Row for SearchedGame {
    const ENCODING: Encoding = Encoding::JsonLines { beginning: "{\"game\":0,\"puzzle\":" };
}

/// Opens or creates the file, and calls `take` for each game that earlier runs searched.
pub fn open(path: &Path, mut take: impl FnMut(SearchedGame)) -> Result<Rows<SearchedGame>> {
    let mut next = 0;
    Rows::open(path, |searched: SearchedGame| {
        let found = searched.game;
        ensure!(found == next, "expected game {next}, found game {found}; the file is left as it is");
        next += 1;
        take(searched);
        Ok(())
    })
}
