//! Whole lines on standard output and standard error.

use std::error::Error;
use std::io::{self, Write};

use crate::util::debug_log::{self, Direction};

/// Standard output does not take what is printed.
#[derive(Debug, thiserror::Error)]
#[error("standard output: {0}")]
pub struct OutputError(#[from] io::Error);

/// Prints one or more lines on standard output at once, whole even when several threads print.
///
/// # Errors
/// When nobody reads them any more, or the disk is full.
pub fn print_line(text: &str) -> Result<(), OutputError> {
    let mut out = io::stdout().lock();
    debug_log::record(Direction::Out, text);
    Ok(writeln!(out, "{text}").and_then(|()| out.flush())?)
}

/// Writes a line on standard error, if that can be written to.
pub fn eprint_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// `true` when all that is wrong is that the reader of standard output has gone: `enroque startpos --all | head`.
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
