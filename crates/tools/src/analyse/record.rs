//! Settings of an analysis of games, by which a later run recognises outputs that it can continue.

use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use enroque::chess::FenStyle;
use enroque::nnue::Network;
use enroque::nnue::network::checksum;
use enroque::util::version;

/// Settings of an analysis, stored in the manifest beside the output file and in the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    generator: String,
    network: String,
    /// Name of the input file and its size in bytes.
    source: (String, usize),
    /// Checksum of the input file.
    #[serde(default)]
    source_checksum: String,
    depth: Option<i32>,
    nodes: Option<u64>,
    movetime: Option<i64>,
    hash: usize,
    multipv: u16,
    syzygy: Option<String>,
    castling: String,
    /// Start position of games without their own, as Shredder-FEN.
    #[serde(default)]
    start: Option<String>,
    pub json: bool,
}

impl Record {
    /// Creates the record of an analysis of `text`, the content of `file`.
    pub fn new(arguments: &Arguments, file: &str, text: &str) -> Self {
        let limits = arguments.limits();
        Self {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            source: (file.to_owned(), text.len()),
            source_checksum: format!("{:016x}", checksum(text.as_bytes())),
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.move_time,
            hash: arguments.file_hash(),
            multipv: arguments.multipv,
            syzygy: arguments.syzygy.clone(),
            castling: arguments.castling.name().to_owned(),
            start: arguments.start.as_ref().map(|board| board.fen(FenStyle::Shredder)),
            json: arguments.json,
        }
    }
}
