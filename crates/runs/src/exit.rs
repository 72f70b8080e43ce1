//! How our command-line programs end: error messages, exit codes and Ctrl-C.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::ExitCode;

use enroque::terminal::{ExitStatus, eprint_line, is_closed_pipe};

/// Joins an error and its causes: `games.pgn: No such file or directory`. Some errors already end with the text of
/// their cause, which we don't repeat.
fn text_of(error: &anyhow::Error) -> String {
    let mut causes = error.chain().map(ToString::to_string);
    let mut text = causes.next().unwrap_or_default();
    for cause in causes.filter(|cause| !cause.is_empty()) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Prints the error of a failed command on standard error and returns the exit code. A closed pipe is no failure, so
/// that `| head` can end a command.
pub fn exit_code(result: anyhow::Result<ExitStatus>) -> ExitCode {
    let status = result.unwrap_or_else(|error| {
        if is_closed_pipe(error.as_ref()) {
            return ExitStatus::Success;
        }
        complain(&text_of(&error));
        ExitStatus::BadInput
    });
    status.into()
}

/// Prints an error on standard error, after the name by which the user called this program.
pub fn complain(error: &str) {
    let path = PathBuf::from(std::env::args_os().next().unwrap_or_default());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    eprint_line(&format!("{}: {error}", name.strip_suffix(EXE_SUFFIX).unwrap_or(&name)));
}

/// After Ctrl-C, running searches stop, we keep the finished work, and the program ends with exit code 130.
pub mod interrupt {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use enroque::search::Control;
    use enroque::terminal::ExitStatus;

    static INTERRUPTED: AtomicBool = AtomicBool::new(false);

    /// Installs a handler: the first Ctrl-C stops the searches of `controls` and sets [`happened`], the second ends the
    /// program.
    pub fn stop_on_interrupt(controls: Vec<Arc<Control>>) {
        // If this fails, Ctrl-C ends the program at once, which is acceptable.
        let _ = ctrlc::set_handler(move || {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(ExitStatus::Interrupted as i32);
            }
            controls.iter().for_each(|control| control.stop());
        });
    }

    /// Whether Ctrl-C was pressed. Long runs check this before each new job.
    pub fn happened() -> bool {
        INTERRUPTED.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn causes_are_told_once() {
        let missing = || std::io::Error::other("no such file");
        let error = anyhow::Result::<()>::Err(missing().into()).context("games.pgn").unwrap_err();
        assert_eq!(text_of(&error), "games.pgn: no such file");
        let output = enroque::terminal::OutputError::from(missing());
        assert_eq!(text_of(&output.into()), "standard output: no such file");
    }
}
