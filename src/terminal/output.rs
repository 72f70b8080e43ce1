//! Whole lines on standard output and standard error.

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, IsTerminal as _, Write};

use crate::chess::notation::printable;
use crate::util::debug_log::{self, Direction};
use crate::util::host;

/// Error of writing to standard output.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
pub struct OutputError(#[from] io::Error);

/// Prints one or more lines on standard output, never interleaved with lines of other threads. A terminal gets no control
/// characters.
pub fn print_line(text: &str) -> Result<(), OutputError> {
    debug_log::record(Direction::Out, text);
    let is_terminal = io::stdout().is_terminal();
    let text = if is_terminal { Cow::Owned(printable_lines(text)) } else { Cow::Borrowed(text) };
    Ok(host::print_line(&text)?)
}

/// Prints a line on standard error, without control characters, and ignores failures.
pub fn eprint_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable_lines(text));
}

/// Replaces the characters that a terminal obeys, which file names may contain. Line feeds and tabs stay.
pub fn printable_lines(text: &str) -> String {
    let is_layout = |c| matches!(c, '\n' | '\t');
    text.replace("\r\n", "\n").chars().map(|c| if is_layout(c) { c } else { printable(c) }).collect()
}

/// Returns `true` if a closed pipe caused the error, as in `enroque-tools startpos --all | head`.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    std::iter::successors(Some(error), |&error| error.source())
        .any(|error| error.downcast_ref().is_some_and(is_closed))
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
