//! What our command-line programs share: error messages, exit codes, Ctrl-C, shell completions and manual pages.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Command;
pub use clap_complete::Shell;
use clap_mangen::Man;

use crate::files::AtPath;
use enroque::terminal::{ExitStatus, eprint_line, is_closed_pipe, print_line};

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

/// Prints the error of a failed command on standard error and returns the exit code. A closed pipe is not a failure, so
/// that `| head` can end a command.
pub fn exit_code(result: Result<ExitStatus>) -> ExitCode {
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

/// Prints the script with which a shell completes the arguments of a program.
pub fn print_completions(shell: Shell, mut command: Command) -> Result<()> {
    let (name, mut script) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(shell, &mut command, name, &mut script);
    Ok(print_line(String::from_utf8_lossy(&script).trim_end())?)
}

/// Writes the manual pages of a program and its commands to a folder.
pub fn write_manual(command: Command, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).context("cannot create this folder").at(folder)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_pages(&command, folder)
}

fn write_pages(command: &Command, folder: &Path) -> Result<()> {
    command.get_subcommands().try_for_each(|command| write_pages(command, folder))?;
    let (page, mut text) = (Man::new(command.clone()), Vec::new());
    page.render(&mut text)?;
    let path = folder.join(page.get_filename());
    std::fs::write(&path, copyable(&String::from_utf8_lossy(&text))).at(&path)
}

/// Changes a manual page so that commands can be copied from it: no hyphens are added, words aren't spread over the
/// line, and each example stays as it is, in a section of its own that is as wide as the help.
fn copyable(page: &str) -> String {
    page.replace("\n.SH NAME\n", "\n.nh\n.ad l\n.SH NAME\n")
        .replace("\n.SH EXTRA\nExamples:\n", "\nExamples:\n")
        .replace("\nExamples:\n", "\n.SH EXAMPLES\n.nf\n.in 0\n")
}

/// After Ctrl-C, running searches stop, we keep the finished work, and the program ends with exit code 130.
pub mod interrupt {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use enroque::search::Control;
    use enroque::terminal::ExitStatus;

    static INTERRUPTED: AtomicBool = AtomicBool::new(false);

    /// Installs a handler: the first Ctrl-C stops the searches that `controls` belong to and sets [`happened`], the
    /// second ends the program.
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
