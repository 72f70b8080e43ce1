//! The command line of `enroque-learn`. Clap also makes the manual pages and the shell completions from it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use enroque::terminal::ExitStatus;
#[cfg(unix)]
use enroque::util::file_size_limit;
use enroque_learn::{data, datagen, matches, train};
use enroque_runs::program::{Shell, exit_code, print_completions, write_manual};

enroque::report_illegal_instructions!();

/// Trains networks for the chess engine Enroque, from its own games alone.
#[derive(Parser, Debug)]
#[command(
    name = "enroque-learn",
    version,
    max_term_width = 80,
    after_help = "\
Examples:
  enroque-learn datagen games.gz --positions 50000    self-play
  enroque-learn data info games.gz                    what is in the file
  enroque-learn train my.nnue games.gz                a network
  enroque-learn match my.nnue --sprt 0,4              is it better?
  enroque-learn help train                            more about one command"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Datagen(datagen::Arguments),
    Train(train::Arguments),
    Match(matches::Arguments),
    Levels(matches::levels::Arguments),
    #[command(subcommand)]
    Data(data::Arguments),
    /// Print the completion script for a shell
    #[command(after_help = "\
Examples:
  enroque-learn completions zsh >~/.zfunc/_enroque-learn
  enroque-learn completions bash \\
      >~/.local/share/bash-completion/completions/enroque-learn")]
    Completions {
        /// Shell that will load the script
        shell: Shell,
    },
    /// Write the manual pages to a folder
    #[command(after_help = "\
Examples:
  enroque-learn man ~/.local/share/man/man1
  enroque-learn man . && man -l ./enroque-learn-train.1")]
    Man {
        /// Folder to write to
        folder: PathBuf,
    },
}

fn run(command: Command) -> anyhow::Result<ExitStatus> {
    match command {
        Command::Datagen(arguments) => datagen::run(&arguments)?,
        Command::Train(arguments) => train::run(arguments)?,
        Command::Match(arguments) => return matches::run(&arguments),
        Command::Levels(arguments) => return matches::levels::run(&arguments),
        Command::Data(arguments) => return data::run(&arguments),
        Command::Completions { shell } => print_completions(shell, Cli::command())?,
        Command::Man { folder } => write_manual(Cli::command(), &folder)?,
    }
    Ok(ExitStatus::Success)
}

fn main() -> ExitCode {
    #[cfg(unix)]
    file_size_limit::report_as_error();
    exit_code(run(Cli::parse().command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::util::other_programs::OTHER_PROGRAMS;

    #[test]
    fn engine_points_to_every_command() {
        let (_, known) = OTHER_PROGRAMS.into_iter().find(|(program, _)| *program == "enroque-learn").unwrap();
        let cli = Cli::command();
        let names = cli
            .get_subcommands()
            .flat_map(|command| std::iter::once(command.get_name()).chain(command.get_visible_aliases()));
        let mut names: Vec<&str> = names.filter(|name| !["completions", "man"].contains(name)).collect();
        names.sort_unstable();
        assert_eq!(known, names);
    }
}
