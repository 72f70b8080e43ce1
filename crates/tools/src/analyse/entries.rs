//! Games of a file before their analysis: sizes and errors. A game is read again when it is analysed, so that large files
//! need little memory.

use super::arguments::Arguments;
use enroque::terminal::{ExitStatus, eprint_line};
use enroque_study::pgn::{self, PgnGame, Section};

/// Game of a file.
pub struct Entry<'a> {
    section: &'a Section<'a>,
    arguments: &'a Arguments,
    /// Number of positions to search: one more than moves, 0 without moves.
    pub positions: usize,
}

impl<'a> Entry<'a> {
    /// Reads the game.
    ///
    /// # Errors
    /// Returns an error message if the game has no valid start position or another variant.
    pub fn read(&self) -> Result<PgnGame, String> {
        let Arguments { castling, start, .. } = self.arguments;
        pgn::read(self.section.text, *castling, start.as_deref())
    }

    /// Returns the text of the game as found, with no empty line but the first: one in the moves would end the game for a
    /// resumed analysis.
    pub fn text(&self) -> String {
        let mut has_moves = false;
        let lines = self.section.text.trim().lines().filter(|line| {
            let is_empty = line.trim().is_empty();
            let is_kept = !is_empty || !has_moves;
            has_moves |= is_empty;
            is_kept
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn report(place: &str, error: &str) {
    eprint_line(&format!("enroque: {place}: {error}"));
}

/// Reads the games of a file and reports their errors on standard error.
pub fn read_entries<'a>(
    arguments: &'a Arguments,
    file: &str,
    sections: &'a [Section<'a>],
) -> (Vec<Entry<'a>>, ExitStatus) {
    let mut status = ExitStatus::Success;
    let mut entries = Vec::with_capacity(sections.len());
    for (index, section) in sections.iter().enumerate() {
        let place = format!("{file}, game {} at line {}", index + 1, section.line);
        let mut entry = Entry { section, arguments, positions: 0 };
        match entry.read() {
            Ok(game) => {
                game.errors.iter().for_each(|error| report(&place, error));
                if !game.errors.is_empty() {
                    status = status.max(ExitStatus::CheckFailed);
                }
                let moves = game.moves().count();
                entry.positions = if moves == 0 { 0 } else { moves + 1 };
            }
            Err(error) => {
                report(&place, &error);
                status = status.max(ExitStatus::BadInput);
            }
        }
        entries.push(entry);
    }
    (entries, status)
}
