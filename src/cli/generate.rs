//! What shells and manuals want to know of the command line, made from its definition.

use std::io::{self, Write};

use clap::Command;
use clap_complete::Shell;

use crate::console::OutputError;

/// Writes the completion script of a shell to standard output.
///
/// # Errors
/// When nobody reads it.
pub fn completions(mut command: Command, shell: Shell) -> Result<(), OutputError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "enroque", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// Writes the manual page, the pages of all commands one after the other, to standard output.
///
/// # Errors
/// When nobody reads it.
pub fn manual(command: Command) -> Result<(), OutputError> {
    let mut page = Vec::new();
    let mut command = command;
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for tool in command.get_subcommands().filter(|tool| !tool.is_hide_set() && tool.get_name() != "help") {
        let name = tool.get_display_name().unwrap_or(tool.get_name()).to_owned();
        clap_mangen::Man::new(tool.clone()).title(name).render(&mut page)?;
    }
    Ok(io::stdout().write_all(&page)?)
}
