//! Output file of analysed games: each game is appended when it is complete, and the same command resumes after the last.

use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::arguments::Arguments;
use super::error::AnalyseError;
use crate::nnue::Network;
use crate::nnue::network::checksum;
use crate::runs::manifest;
use crate::search::limits::Limits;
use crate::util::files::LockedFile;
use crate::util::version;
use crate::workbench::pgn;

/// Settings of an analysis, stored in the manifest beside the output file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Record {
    generator: String,
    network: String,
    /// Name of the input file and the checksum of its text, hexadecimal.
    source: (String, String),
    depth: Option<i32>,
    nodes: Option<u64>,
    movetime: Option<i64>,
    hash: usize,
    multipv: u16,
    syzygy: Option<String>,
    castling: String,
    json: bool,
}

/// Output file of analysed games.
pub struct GameFile {
    file: LockedFile,
    path: std::path::PathBuf,
}

impl GameFile {
    /// Opens or creates the file for the games of `source`, the name and text of an input file. Returns also the number
    /// of complete games in it; an incomplete last game is removed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, or holds anything but an analysis of the same games with the same
    /// settings.
    pub fn open(
        path: &Path,
        arguments: &Arguments,
        limits: &Limits,
        (source, text): (&str, &str),
    ) -> Result<(Self, usize), AnalyseError> {
        let record = Record {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            source: (source.to_owned(), format!("{:016x}", checksum(text.as_bytes()))),
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.move_time,
            hash: arguments.file_hash(),
            multipv: arguments.multipv,
            syzygy: arguments.syzygy.clone(),
            castling: arguments.castling.name().to_owned(),
            json: arguments.json,
        };
        manifest::agree(path, &record)?;
        let fail = |reason| AnalyseError::Write { path: path.to_owned(), reason };
        let mut file = LockedFile::open(path).map_err(fail)?;
        let bytes = file.read_all().map_err(fail)?;
        let text = String::from_utf8_lossy(&bytes);
        let (games, length) = if arguments.json { complete_lines(&text) } else { complete_games(&text) };
        file.truncate(length as u64).map_err(fail)?;
        Ok((Self { file, path: path.to_owned() }, games))
    }

    /// Appends a game and a line feed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&mut self, text: &str) -> Result<(), AnalyseError> {
        let written = self.file.write_all(format!("{text}\n").as_bytes()).and_then(|()| self.file.sync());
        written.map_err(|reason| AnalyseError::Write { path: self.path.clone(), reason })
    }
}

/// Returns the number of complete lines and their total length in bytes.
fn complete_lines(text: &str) -> (usize, usize) {
    let length = text.rfind('\n').map_or(0, |at| at + 1);
    (text[..length].lines().count(), length)
}

/// Returns the number of complete games, each ended by an empty line, and their total length in bytes.
fn complete_games(text: &str) -> (usize, usize) {
    let text = &text[..text.rfind("\n\n").map_or(0, |at| at + 2)];
    let mut sections = pgn::sections(text);
    let is_last_complete = sections.last().is_some_and(|last| {
        text.ends_with("\n\n") && last.text.lines().any(|line| !line.is_empty() && !line.starts_with('['))
    });
    if !is_last_complete {
        sections.pop();
    }
    (sections.len(), sections.iter().map(|section| section.text.len()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_game_is_incomplete() {
        let text = "[White \"A\"]\n\n1. e4 {x}\ne5 *\n\n[White \"B\"]\n\n1. d4 *\n\n";
        assert_eq!(complete_games(text), (2, text.len()));
        let second = text.find("[White \"B").unwrap();
        for end in second..text.len() {
            assert_eq!(complete_games(&text[..end]), (1, second), "{end}");
        }
        for end in 0..second {
            assert_eq!(complete_games(&text[..end]), (0, 0), "{end}");
        }
        assert_eq!(complete_lines("{}\n{\"a\""), (1, 3));
    }
}
