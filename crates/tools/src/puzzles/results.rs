//! File of results, with a line of JSON for each game, and the record of its settings.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use super::games::GameFile;
use super::puzzle::Puzzle;
use enroque::chess::FenStyle;
use enroque::nnue::Network;
use enroque::nnue::network::checksum;
use enroque::util::version;
use enroque_runs::files::{self, LockedFile};

/// Every file of results begins like this.
const BEGINNING: &[u8] = b"{\"game\":0,\"puzzle\":";

/// Settings that determine the results. Without the number of puzzles, so that a finished search can be continued.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    generator: String,
    network: String,
    /// Checksums of the PGN files.
    games: Vec<String>,
    /// In Shredder-FEN.
    starts: Vec<String>,
    seed: u64,
    nodes: u64,
    moves: u32,
    hash: u64,
}

impl Record {
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

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Counted from 0 without a gap.
    pub game: u64,
    pub puzzle: Option<Puzzle>,
}

/// Checks that the file does not exist or holds results.
pub fn check(path: &Path) -> Result<()> {
    let is_ours = |bytes: &[u8]| bytes.starts_with(BEGINNING) || BEGINNING.starts_with(bytes);
    files::ensure_overwritable(path, is_ours).with_context(|| path.display().to_string())
}

pub struct Appender {
    path: PathBuf,
    file: LockedFile,
}

impl Appender {
    /// Opens or creates the file, removes the last line if a killed process left it incomplete, and returns the rows.
    pub fn open(path: &Path) -> Result<(Self, Vec<Row>)> {
        let at = || path.display().to_string();
        let mut file = LockedFile::open(path).with_context(at)?;
        let bytes = file.read_all().with_context(at)?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut rows = Vec::new();
        for (index, line) in bytes[..complete].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let row = read_row(index as u64, line);
            rows.push(row.with_context(|| format!("{}, line {}", path.display(), index + 1))?);
        }
        file.truncate(complete as u64).with_context(at)?;
        Ok((Self { path: path.to_owned(), file }, rows))
    }

    pub fn add(&mut self, row: &Row) -> Result<()> {
        let line = serde_json::to_string(row)? + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| self.path.display().to_string())
    }
}

fn read_row(index: u64, line: &[u8]) -> Result<Row> {
    let row: Row = serde_json::from_slice(line)?;
    let found = row.game;
    ensure!(found == index, "expected game {index}, found game {found}; the file is left as it is");
    Ok(row)
}
