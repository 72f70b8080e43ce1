//! Prints to terminals and pipes, and turns results into exit codes.

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use crate::util::debug_log::{self, Direction};
use crate::util::host;
use crate::util::text::printable_lines;

/// We could not write to standard output: the pipe is closed, or the disk is full.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
pub struct OutputError(#[from] io::Error);

/// Prints `text` and a line feed on standard output in one piece, so that lines from different threads don't mix. If
/// standard output is a terminal, we replace control characters.
///
/// # Errors
/// Returns an error if the pipe is closed or the disk is full.
pub fn print_line(text: &str) -> Result<(), OutputError> {
    debug_log::record(Direction::Out, text);
    let is_terminal = io::stdout().is_terminal();
    let text = if is_terminal { Cow::Owned(printable_lines(text)) } else { Cow::Borrowed(text) };
    Ok(host::print_line(&text)?)
}

/// Prints a line on standard error and replaces control characters. If that fails, there's nowhere left to say so.
pub fn eprint_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable_lines(text));
}

/// Whether a closed pipe caused the error, as in `enroque-tools startpos sets dfrc | head`.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    std::iter::successors(Some(error), |&error| error.source())
        .any(|error| error.downcast_ref().is_some_and(is_closed))
}

/// How a command ended, as its exit code. A greater code is worse, so `max` combines the results of several steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExitStatus {
    /// Everything was done, and every check passed.
    Success = 0,
    /// A check failed, or a result is incomplete.
    CheckFailed = 1,
    /// Wrong arguments, bad input, or any other error.
    BadInput = 2,
    /// Ctrl-C ended the command: 128 + SIGINT, as shells report it.
    Interrupted = 130,
}

impl ExitStatus {
    /// Returns the status of a command whose exit code says whether a check passed.
    pub fn of_check(passed: bool) -> Self {
        if passed { Self::Success } else { Self::CheckFailed }
    }

    /// Prints `error` on standard error and returns its status. A closed pipe is not a failure: the reader, such as
    /// `head`, has seen enough.
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
