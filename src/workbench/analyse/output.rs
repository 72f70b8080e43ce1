//! The file that `--output` names: games are added as they are judged, and the same command goes on after the last.

use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{AnalyseError, Arguments};
use crate::nnue::Network;
use crate::runs::manifest;
use crate::search::limits::Limits;
use crate::util::files::LockedFile;
use crate::util::version;
use crate::workbench::pgn;

/// How the games of a file were analysed; stands beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Record {
    generator: String,
    network: String,
    /// The file that they are from, and its size in bytes.
    source: (String, usize),
    depth: Option<i32>,
    nodes: Option<u64>,
    movetime: Option<i64>,
    hash: usize,
    multipv: u16,
    syzygy: Option<String>,
    castling: String,
    json: bool,
}

/// A file of analysed games.
pub struct GameFile {
    file: LockedFile,
    path: std::path::PathBuf,
}

impl GameFile {
    /// Opens the file, or begins it, for the games of `source`, a file of `size` bytes; gives also the number of games in
    /// it. One that was not written to its end is dropped.
    ///
    /// # Errors
    /// When it cannot be opened, or holds anything but an analysis of the same games with the same settings.
    pub fn open(
        path: &Path,
        arguments: &Arguments,
        limits: &Limits,
        (source, size): (&str, usize),
    ) -> Result<(Self, usize), AnalyseError> {
        let record = Record {
            generator: version::GENERATOR.to_owned(),
            network: format!("{:016x}", Network::embedded().checksum()),
            source: (source.to_owned(), size),
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.move_time,
            hash: arguments.hash_of_files(),
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
        let (games, length) = if arguments.json { whole_lines(&text) } else { whole_games(&text) };
        file.truncate(length as u64).map_err(fail)?;
        Ok((Self { file, path: path.to_owned() }, games))
    }

    /// Adds a game and a line's end.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn write(&mut self, text: &str) -> Result<(), AnalyseError> {
        let written = self.file.write_all(format!("{text}\n").as_bytes()).and_then(|()| self.file.sync());
        written.map_err(|reason| AnalyseError::Write { path: self.path.clone(), reason })
    }
}

/// Lines that are written to their end, and their length together.
fn whole_lines(text: &str) -> (usize, usize) {
    let length = text.rfind('\n').map_or(0, |at| at + 1);
    (text[..length].lines().count(), length)
}

/// Games that are written to their end, which an empty line marks, and their length together.
fn whole_games(text: &str) -> (usize, usize) {
    let text = &text[..text.rfind("\n\n").map_or(0, |at| at + 2)];
    let mut sections = pgn::sections(text);
    let is_whole = sections.last().is_some_and(|last| {
        text.ends_with("\n\n") && last.text.lines().any(|line| !line.is_empty() && !line.starts_with('['))
    });
    if !is_whole {
        sections.pop();
    }
    (sections.len(), sections.iter().map(|section| section.text.len()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_were_cut_are_written_again() {
        let whole = "[White \"A\"]\n\n1. e4 {x}\ne5 *\n\n[White \"B\"]\n\n1. d4 *\n\n";
        assert_eq!(whole_games(whole), (2, whole.len()));
        let second = whole.find("[White \"B").unwrap();
        for end in second..whole.len() {
            assert_eq!(whole_games(&whole[..end]), (1, second), "{end}");
        }
        for end in 0..second {
            assert_eq!(whole_games(&whole[..end]), (0, 0), "{end}");
        }
        assert_eq!(whole_lines("{}\n{\"a\""), (1, 3));
    }
}
