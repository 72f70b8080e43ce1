//! What shells and manuals want to know of the command line, made from its definition.

use clap::Command;
use clap_complete::Shell;

use crate::terminal::{OutputError, print_line};

/// Writes the completion script of a shell to standard output.
///
/// # Errors
/// When standard output does not take it.
pub fn completions(mut command: Command, shell: Shell) -> Result<(), OutputError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "enroque", &mut script);
    print_line(String::from_utf8_lossy(&script).trim_end())
}

/// Writes the manual page, the pages of all commands one after the other, to standard output.
///
/// # Errors
/// When standard output does not take it.
pub fn manual(command: Command) -> Result<(), OutputError> {
    let mut page = Vec::new();
    let mut command = command;
    command.build();
    add_page(&command, &mut page)?;
    print_line(String::from_utf8_lossy(&page).trim_end())
}

/// What every command ends with.
const EXIT_STATUS: &str = ".SH \"EXIT STATUS\"
.TP
0
All went well.
.TP
1
A check failed: a test was not solved, a count was wrong, a match not passed, something is missing or could not be read to
its end.
.TP
2
Bad usage or input.
.TP
130
Ended by Ctrl\\-C; what was done is kept.
";

/// Adds the page of a command and those of its subcommands.
fn add_page(command: &Command, page: &mut Vec<u8>) -> Result<(), OutputError> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    clap_mangen::Man::new(command.clone()).title(name).render(page)?;
    page.extend_from_slice(EXIT_STATUS.as_bytes());
    let tools = command.get_subcommands().filter(|tool| !tool.is_hide_set() && tool.get_name() != "help");
    tools.into_iter().try_for_each(|tool| add_page(tool, page))
}
