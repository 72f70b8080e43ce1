//! Text for people and pipes: whole lines, exit codes, the board in ASCII.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use crate::chess::notation::printable;
use crate::chess::{Board, File, Rank, Square};
use crate::util::debug_log::{self, Direction};
use crate::util::host;

/// Error of writing to standard output.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
pub struct OutputError(#[from] io::Error);

/// Prints one or more lines on standard output, never interleaved with those of other threads. A terminal gets no
/// control characters.
///
/// # Errors
/// Returns an error if the pipe is closed or the disk is full.
pub fn print_line(text: &str) -> Result<(), OutputError> {
    debug_log::record(Direction::Out, text);
    let is_terminal = io::stdout().is_terminal();
    let text = if is_terminal { Cow::Owned(printable_lines(text)) } else { Cow::Borrowed(text) };
    Ok(host::print_line(&text)?)
}

/// Prints a line on standard error, without control characters. Failures are ignored.
pub fn eprint_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable_lines(text));
}

/// Replaces the characters that a terminal obeys, which a file name may contain. Line feeds and tabs stay.
pub fn printable_lines(text: &str) -> String {
    let is_layout = |c| matches!(c, '\n' | '\t');
    text.replace("\r\n", "\n").chars().map(|c| if is_layout(c) { c } else { printable(c) }).collect()
}

/// Returns `true` if a closed pipe caused the error, as in `enroque-tools startpos sets dfrc | head`.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    std::iter::successors(Some(error), |&error| error.source())
        .any(|error| error.downcast_ref().is_some_and(is_closed))
}

/// How a command ended, the worse the greater, with the exit code for the operating system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExitStatus {
    /// Everything was done, and every check passed.
    Success = 0,
    /// A check failed, or a result is incomplete.
    CheckFailed = 1,
    /// Bad usage or bad input.
    BadInput = 2,
    /// Ended by Ctrl-C.
    Interrupted = 130,
}

impl ExitStatus {
    /// Returns [`Self::Success`] if a check `passed`, else [`Self::CheckFailed`].
    pub fn of_check(passed: bool) -> Self {
        if passed { Self::Success } else { Self::CheckFailed }
    }

    /// Prints an error on standard error and returns its status. A closed pipe is no failure.
    pub fn of_error(error: &(dyn Error + 'static)) -> Self {
        if is_closed_pipe(error) {
            return Self::Success;
        }
        eprint_line(&format!("enroque: {error}"));
        Self::BadInput
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        (status as u8).into()
    }
}

/// Draws the board in ASCII with White at the bottom.
pub fn diagram(board: &Board) -> String {
    let mut text = String::new();
    let edge = "+---+---+---+---+---+---+---+---+\n";
    for rank in Rank::ALL.into_iter().rev() {
        text.push_str(edge);
        for file in File::ALL {
            let letter = board.piece_on(Square::new(file, rank)).map_or(' ', |piece| piece.letter());
            let _ = write!(text, "| {letter} ");
        }
        let _ = writeln!(text, "| {}", rank.digit());
    }
    text + edge + "  a   b   c   d   e   f   g   h"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced() {
        let text = "a\x1b[31m\u{9b}\x7f\u{85}\u{202e}\tb\r\nc\rd é\n";
        assert_eq!(printable_lines(text), "a?[31m????\tb\nc?d é\n");
    }
}
