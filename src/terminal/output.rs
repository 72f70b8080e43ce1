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

/// Prints a line on standard error and ignores failures. The numbers of system errors are omitted.
pub fn eprint_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", without_error_numbers(text));
}

/// Removes the numbers of system errors from a text: `No such file or directory (os error 2)`.
pub fn without_error_numbers(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').trim_start_matches(')')
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_numbers_are_removed() {
        let error = io::Error::from_raw_os_error(2);
        assert!(error.to_string().contains("os error"), "{error}");
        assert_eq!(without_error_numbers("a: No such file (os error 2); b"), "a: No such file; b");
        assert_eq!(without_error_numbers("no error"), "no error");
    }
}
