//! Tests of the help texts.

use clap::{Command, CommandFactory};

use super::Cli;

/// Columns of the narrowest usual terminal.
const WIDTH: usize = 80;

/// Returns a command with all below it, each with its full name.
fn commands(command: Command) -> Vec<Command> {
    let below: Vec<Command> = command.get_subcommands().cloned().flat_map(commands).collect();
    below.into_iter().chain([command]).collect()
}

#[test]
fn help_fits_eighty_columns() {
    let mut program = Cli::command();
    program.build();
    let commands = commands(program);
    assert!(commands.len() > 20);
    for mut command in commands {
        let name = command.get_bin_name().unwrap_or_default().to_owned();
        for help in [command.render_help(), command.render_long_help()] {
            // A line of usage is clap's, which never wraps it.
            for line in help.to_string().lines().filter(|line| !line.starts_with("Usage: ")) {
                assert!(line.chars().count() <= WIDTH, "{name}: {line}");
            }
        }
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines: Vec<&str> = after.lines().collect();
        // Examples are not wrapped, and a paragraph is wrapped once, by the terminal's width.
        for line in lines.iter().filter(|line| line.starts_with(' ')) {
            assert!(line.chars().count() <= WIDTH, "{name}: {line}");
        }
        for pair in lines.windows(2) {
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':');
            assert!(!pair.iter().all(|line| is_prose(line)), "{name}: {pair:?}");
        }
    }
}
