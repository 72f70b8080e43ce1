//! What shells and manuals want to know of the command line, made from its definition.

use clap::Command;
use clap_complete::Shell;

use crate::console::{OutputError, say};

/// Writes the completion script of a shell to standard output.
///
/// # Errors
/// When standard output does not take it.
pub fn completions(mut command: Command, shell: Shell) -> Result<(), OutputError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "enroque", &mut script);
    say(String::from_utf8_lossy(&script).trim_end())
}

/// Writes the manual page, the pages of all commands one after the other, to standard output.
///
/// # Errors
/// When standard output does not take it.
pub fn manual(command: Command) -> Result<(), OutputError> {
    let mut page = Vec::new();
    let mut command = command;
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for tool in command.get_subcommands().filter(|tool| !tool.is_hide_set() && tool.get_name() != "help") {
        let name = tool.get_display_name().unwrap_or(tool.get_name()).to_owned();
        clap_mangen::Man::new(tool.clone()).title(name).render(&mut page)?;
    }
    say(String::from_utf8_lossy(&page).trim_end())
}
