//! Tests of the help texts.

use clap::{Command, CommandFactory, Parser};

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

/// Returns the arguments of an example, without its explanation, which two spaces or a redirection precede.
fn example_arguments(example: &str) -> Vec<String> {
    let ends = ["  ", " >", " <", " |"].into_iter().filter_map(|end| example.find(end));
    shlex::split(&example[..ends.min().unwrap_or(example.len())]).expect("closed quotes")
}

#[test]
fn examples_of_help_are_accepted() {
    let mut program = Cli::command();
    program.build();
    let helps = commands(program).into_iter().filter_map(|command| command.get_after_help().cloned());
    let helps: Vec<String> = helps.map(|help| help.to_string().replace("\\\n      ", "")).collect();
    let lines = helps.iter().flat_map(|help| help.lines()).filter_map(|line| line.strip_prefix("  "));
    let examples = lines.filter(|line| line.starts_with("enroque ")).map(example_arguments);
    // UCI lines are no arguments of a command.
    let examples: Vec<Vec<String>> = examples.filter(|words| !words[1].contains(' ')).collect();
    assert!(examples.len() > 100, "{}", examples.len());
    let errors = examples.iter().filter_map(|words| Cli::try_parse_from(words).err());
    let refusals: Vec<String> =
        errors.filter(clap::Error::use_stderr).map(|error| error.to_string()).collect();
    assert!(refusals.is_empty(), "{}", refusals.join("\n"));
}
