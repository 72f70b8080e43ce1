//! Shell completions and manual pages, generated from the definition of the command line.

use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use thiserror::Error;

use crate::engine::options::{OPTIONS, OptionKind};
use crate::terminal::{OutputError, print_line};
use crate::util::{files, version};

/// Prints the completion script of a shell.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn completions(mut command: Command, shell: Shell) -> Result<(), OutputError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "enroque", &mut script);
    print_line(String::from_utf8_lossy(&script).trim_end())
}

/// Error of writing the manual.
#[derive(Debug, Error)]
pub enum ManualError {
    /// The command does not exist.
    #[error("no command is called '{0}'; `enroque --help` lists them")]
    Command(String),
    /// A page cannot be written.
    #[error("{}: {reason}", path.display())]
    Page {
        /// File of the page.
        path: PathBuf,
        /// Cause.
        reason: io::Error,
    },
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Section of the manual: games.
const SECTION: &str = "6";

/// Section at the end of each page.
const EXIT_STATUS: [(&str, &str); 4] = [
    ("0", "Success."),
    (
        "1",
        "A check failed: a test was not solved, a count was wrong, a match was not passed, or a result is incomplete.",
    ),
    ("2", "Bad usage or input."),
    ("130", "Ended by Ctrl-C; finished work is kept."),
];

/// Prints the page of a command, given by its words; that of the program if there are none.
///
/// # Errors
/// Returns an error if the command does not exist or standard output cannot be written.
pub fn print_page(command: Command, words: &[String]) -> Result<(), ManualError> {
    let command = built(command);
    let mut chosen = &command;
    for word in words {
        let unknown = || ManualError::Command(words.join(" "));
        chosen = chosen.find_subcommand(word).ok_or_else(unknown)?;
    }
    Ok(print_line(String::from_utf8_lossy(&page(chosen)).trim_end())?)
}

/// Writes the pages of the program and of all commands to a folder.
///
/// # Errors
/// Returns an error if a page cannot be written or would replace another file.
pub fn write_pages(command: Command, folder: &Path) -> Result<(), ManualError> {
    let command = built(command);
    let mut pending = vec![&command];
    while let Some(command) = pending.pop() {
        let path = folder.join(format!("{}.{SECTION}", name(command)));
        let text = page(command);
        // Every page begins with the same definition.
        let definition = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_page = |bytes: &[u8]| !definition.is_empty() && bytes.starts_with(definition);
        files::ensure_overwritable(&path, is_page)
            .and_then(|()| files::replace(&path, &text))
            .map_err(|reason| ManualError::Page { path, reason })?;
        pending.extend(command.get_subcommands());
    }
    Ok(())
}

/// Completes the definition, without the command `help`, which has no page.
fn built(command: Command) -> Command {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    command
}

/// Returns the name of a command's page: `enroque-data-merge`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or(command.get_name()).to_owned()
}

fn page(command: &Command) -> Vec<u8> {
    let name = name(command);
    let is_program = !name.contains('-');
    let mut page = Vec::new();
    let manual =
        Man::new(command.clone()).title(name).section(SECTION).source(version::NAME).manual("Games Manual");
    let mut rest = Roff::new();
    if is_program {
        rest.control("SH", ["UCI OPTIONS"]);
        for option in OPTIONS {
            rest.control("TP", []);
            rest.text([bold(option.name), roman(format!("  {}", values(&option.kind)))]);
            rest.text([roman(sentence(option.description))]);
        }
    }
    rest.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_STATUS {
        rest.control("TP", []);
        rest.text([roman(code)]);
        rest.text([roman(meaning)]);
    }
    let rest = rest.to_roff();
    // A page has one preamble, that of its beginning.
    let rest = &rest[rest.find(".SH").unwrap_or_default()..];
    // Writing to memory does not fail.
    let _ = manual.render(&mut page);
    page.extend_from_slice(rest.as_bytes());
    page
}

/// Describes the values of an option.
fn values(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { default, .. } => format!("true or false, default {default}"),
        OptionKind::Spin { default, range, .. } => {
            format!("{} to {}, default {default}", range.start(), range.end())
        }
        OptionKind::Combo { default, words, .. } => format!("{}; default {default}", words.join(", ")),
        OptionKind::Button(_) => "button".to_owned(),
        OptionKind::String { default, .. } => format!("text, default {default}"),
        OptionKind::Constant(value) => format!("constant, {value}"),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
