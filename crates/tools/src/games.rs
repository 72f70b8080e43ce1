//! Reads the games of PGN files, and says what it can't read, in the same words for all commands.

use std::sync::atomic::{AtomicBool, Ordering};

use enroque::chess::{Board, CastlingRules};
use enroque_runs::program::complain;
use enroque_study::pgn::{PgnError, PgnGame, Section};

/// Reads the games of a file.
pub struct GameReader<'a> {
    /// Name of the file, for messages.
    file: &'a str,
    rules: CastlingRules,
    /// The start of games whose tags tell none; `None` if the user gave none.
    start: Option<&'a Board>,
    /// Whether we have said that we assume the orthodox start.
    has_said: AtomicBool,
}

impl<'a> GameReader<'a> {
    pub fn new(file: &'a str, rules: CastlingRules, start: Option<&'a Board>) -> Self {
        Self { file, rules, start, has_said: AtomicBool::new(false) }
    }

    /// Reads a game. A Chess960 game without a start position begins from the orthodox one, because python-chess writes
    /// such games; the user is told once for each file.
    ///
    /// # Errors
    /// Fails only if the start position is invalid or the variant unknown. The game lists other errors in its `errors`.
    pub fn read(&self, section: &Section) -> Result<PgnGame, PgnError> {
        section.read(self.rules, self.start).or_else(|error| {
            if !error.lacks_start() {
                return Err(error);
            }
            let game = section.read(self.rules, Some(&Board::startpos()))?;
            if !self.has_said.swap(true, Ordering::Relaxed) {
                let message = "read from 518, the orthodox start; --start sp:NUMBER names another";
                self.complain(section, &format!("{error}; {message}"), error.at.line);
            }
            Ok(game)
        })
    }

    /// Says on standard error what we couldn't read in a game.
    pub fn report(&self, section: &Section, error: &PgnError) {
        self.complain(section, &error.to_string(), error.at.line);
    }

    /// Says something about a game on standard error.
    pub fn complain(&self, section: &Section, message: &str, line: usize) {
        complain(&format!("{}, game {} at line {line}: {message}", self.file, section.number));
    }
}
