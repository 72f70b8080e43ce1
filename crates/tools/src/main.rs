//! Command line of the tools: its definition, from which help, manual and completions come, and its dispatch.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use enroque::terminal::{ExitStatus, print_line};
#[cfg(unix)]
use enroque::util::file_size_limit;
use enroque_runs::exit::exit_code;
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
  enroque-tools analyse games.pgn --page games.html    games as a page
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
    /// Show start positions by number, draw them at random or by hand, and look up the number of a position
    Startpos(startpos::Arguments),
    Prep(prep::Arguments),
    Sweep(sweep::Arguments),
    Draw(draw::Arguments),
    Quiz(quiz::Arguments),
    Puzzles(puzzles::Arguments),
    /// Print the completion script of a shell
    #[command(after_help = "\
Examples:
  enroque-tools completions bash >~/.local/share/bash-completion/completions/enroque-tools
  enroque-tools completions zsh >~/.zfunc/_enroque-tools")]
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Write the manual pages to a folder
    #[command(after_help = "\
Examples:
  enroque-tools man ~/.local/share/man/man1
  enroque-tools man . && man -l ./enroque-tools-analyse.1")]
    Man {
        /// Folder of the pages
        folder: PathBuf,
    },
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
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "enroque-tools", &mut script);
            print_line(String::from_utf8_lossy(&script).trim_end())?;
        }
        Command::Man { folder } => clap_mangen::generate_to(Cli::command(), folder)?,
    }
    Ok(ExitStatus::Success)
}

fn main() -> ExitCode {
    #[cfg(unix)]
    file_size_limit::report_as_error();
    exit_code(run(Cli::parse().command))
}
