//! Shell completions and manual page, generated from the definition of the command line.

use clap::Command;
use clap_complete::Shell;

use crate::terminal::{OutputError, print_line};

/// Prints the completion script of a shell.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn completions(mut command: Command, shell: Shell) -> Result<(), OutputError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "enroque", &mut script);
    print_line(String::from_utf8_lossy(&script).trim_end())
}

/// Prints the manual: one page for the program and one for each command, in sequence.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub fn manual(command: Command) -> Result<(), OutputError> {
    let mut page = Vec::new();
    let mut command = command;
    command.build();
    add_page(&command, &mut page)?;
    print_line(String::from_utf8_lossy(&page).trim_end())
}

/// Section at the end of each page.
const EXIT_STATUS: &str = ".SH \"EXIT STATUS\"
.TP
0
Success.
.TP
1
A check failed: a test was not solved, a count was wrong, a match was not passed, or a result is incomplete.
.TP
2
Bad usage or input.
.TP
130
Ended by Ctrl\\-C; finished work is kept.
";

/// Adds the page of a command and those of its subcommands.
fn add_page(command: &Command, page: &mut Vec<u8>) -> Result<(), OutputError> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    clap_mangen::Man::new(command.clone()).title(name).render(page)?;
    page.extend_from_slice(EXIT_STATUS.as_bytes());
    let tools = command.get_subcommands().filter(|tool| !tool.is_hide_set() && tool.get_name() != "help");
    tools.into_iter().try_for_each(|tool| add_page(tool, page))
}
