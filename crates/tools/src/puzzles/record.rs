//! Record of a search for puzzles: the settings that determine its results, stored beside them.

use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use super::games::GameFile;
use enroque::chess::FenStyle;
use enroque::nnue::Network;
use enroque::nnue::network::checksum;
use enroque::util::version;

/// Settings of a search for puzzles. The number of puzzles is none of them, so that a finished search can be continued.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    generator: String,
    network: String,
    /// Checksums of the PGN files.
    games: Vec<String>,
    /// Start positions as Shredder-FEN.
    starts: Vec<String>,
    seed: u64,
    nodes: u64,
    moves: u32,
    hash: u64,
}

impl Record {
    /// Creates the record of a search.
    pub fn new(arguments: &Arguments, files: &[GameFile]) -> Self {
        let &Arguments { seed, nodes, moves, hash, .. } = arguments;
        Self {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            games: files.iter().map(|file| format!("{:016x}", checksum(file.text.as_bytes()))).collect(),
            starts: arguments.starts.iter().map(|board| board.fen(FenStyle::Shredder)).collect(),
            seed,
            nodes,
            moves,
            hash,
        }
    }
}
