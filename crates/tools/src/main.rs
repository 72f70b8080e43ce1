//! Defines the command line of `enroque-tools`, and runs the command that the user chose. From the definition clap
//! makes the help, the manual pages and the completions.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use enroque::terminal::ExitStatus;
#[cfg(unix)]
use enroque::util::file_size_limit;
use enroque_runs::program::{Shell, exit_code, print_completions, write_manual};
use enroque_tools::{analyse, draw, explain, prep, puzzles, quiz, startpos, sweep};

enroque::report_illegal_instructions!();

/// Analyses games, prepares for Chess960 starts and runs Chess960 events, with the chess engine Enroque.
#[derive(Parser, Debug)]
#[command(
    name = "enroque-tools",
    version,
    max_term_width = 80,
    after_help = "\
Examples:
  enroque-tools analyse games.pgn --page review.html   games as a page
  enroque-tools startpos 334                           a start by number
  enroque-tools prep 334 --page 334.html               a player's page for it
  enroque-tools explain sp:334                         its castlings
  enroque-tools sweep all.csv                          all 960 starts
  enroque-tools help startpos                          more about one command"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Arguments),
    Explain(explain::Arguments),
    Startpos(startpos::Arguments),
    Prep(prep::Arguments),
    Sweep(sweep::Arguments),
    Draw(draw::Arguments),
    Quiz(quiz::Arguments),
    Puzzles(puzzles::Arguments),
    /// Print the completion script for a shell
    #[command(after_help = "\
Examples:
  enroque-tools completions zsh >~/.zfunc/_enroque-tools
  enroque-tools completions bash \\
      >~/.local/share/bash-completion/completions/enroque-tools")]
    Completions {
        /// Shell that will load the script
        shell: Shell,
    },
    /// Write the manual pages to a folder
    #[command(after_help = "\
Examples:
  enroque-tools man ~/.local/share/man/man1
  enroque-tools man . && man -l ./enroque-tools-analyse.1")]
    Man {
        /// Folder to write to
        folder: PathBuf,
    },
}

/// The help lists the commands in this order, grouped by what people want to do.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Analyse", &["analyse", "explain"]),
    ("Starts and events", &["startpos", "prep", "sweep", "draw"]),
    ("Teach", &["quiz", "puzzles"]),
    ("Shell", &["completions", "man"]),
];

/// clap lists all subcommands in one block, so we put our grouped list into the help template.
fn command_line() -> clap::Command {
    let cli = Cli::command();
    let mut list = String::new();
    for (title, names) in GROUPS {
        list += &format!("{title}:\n");
        for command in names.iter().filter_map(|name| cli.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            list += &format!("  {:<13}{about}\n", command.get_name());
        }
        list.push('\n');
    }
    cli.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}

fn run(command: Command) -> anyhow::Result<ExitStatus> {
    match command {
        Command::Analyse(arguments) => return analyse::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments)?,
        Command::Startpos(arguments) => startpos::run(&arguments)?,
        Command::Prep(arguments) => return prep::run(&arguments),
        Command::Sweep(arguments) => return sweep::run(&arguments),
        Command::Draw(arguments) => return draw::run(&arguments),
        Command::Quiz(arguments) => quiz::run(&arguments)?,
        Command::Puzzles(arguments) => return puzzles::run(&arguments),
        Command::Completions { shell } => print_completions(shell, command_line())?,
        Command::Man { folder } => write_manual(command_line(), &folder)?,
    }
    Ok(ExitStatus::Success)
}

fn main() -> ExitCode {
    #[cfg(unix)]
    file_size_limit::report_as_error();
    let matches = command_line().get_matches();
    let Cli { command } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    exit_code(run(command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::util::other_programs::OTHER_PROGRAMS;

    #[test]
    fn help_lists_every_command_once() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let cli = Cli::command();
        let mut commands: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
        listed.sort_unstable();
        commands.sort_unstable();
        assert_eq!(listed, commands);
        let help = command_line().render_help().to_string();
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }

    #[test]
    fn engine_points_to_every_command() {
        let (_, known) = OTHER_PROGRAMS.into_iter().find(|(program, _)| *program == "enroque-tools").unwrap();
        let cli = Cli::command();
        let names = cli
            .get_subcommands()
            .flat_map(|command| std::iter::once(command.get_name()).chain(command.get_visible_aliases()));
        let mut names: Vec<&str> = names.filter(|name| !["completions", "man"].contains(name)).collect();
        names.sort_unstable();
        assert_eq!(known, names);
    }
}
