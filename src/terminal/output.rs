//! Whole lines on standard output and standard error.

use std::error::Error;
use std::io::{self, Write};

use crate::util::debug_log::{self, Direction};
use crate::util::host;

/// Error of writing to standard output.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
pub struct OutputError(#[from] io::Error);

/// Prints one or more lines on standard output, never interleaved with those of other threads.
///
/// # Errors
/// Returns an error if the pipe is closed or the disk is full.
pub fn print_line(text: &str) -> Result<(), OutputError> {
    debug_log::record(Direction::Out, text);
    Ok(host::print_line(text)?)
}

/// Prints a line on standard error and ignores failures.
pub fn eprint_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Returns `true` if the cause of the error is a closed pipe, as in `enroque startpos --all | head`.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe) {
            return true;
        }
        cause = error.source();
    }
    false
}
