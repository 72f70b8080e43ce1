//! Command line: its definition, from which help, manual and completions are generated, and its dispatch.

mod generate;
#[cfg(test)]
mod help_tests;
mod number_errors;

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use thiserror::Error;

use crate::chess::CastlingRules;
use crate::chess::position::{self, PositionError};
use crate::commands::bench::{self, BenchError};
use crate::commands::eval;
use crate::commands::speedtest::{self, SpeedtestError};
use crate::learn::data::{self, DataError};
use crate::learn::datagen::{self, DatagenError};
use crate::learn::matches::{self, MatchError};
use crate::learn::train::{self, TrainError};
use crate::nnue::Network;
use crate::terminal::{ExitStatus, OutputError, print_line};
use crate::uci::command::COMMAND_WORDS;
use crate::workbench::analyse::{self, AnalyseError};
use crate::workbench::draw::{self, DrawError};
use crate::workbench::explain::{self, ExplainError};
use crate::workbench::prep::{self, PrepError};
use crate::workbench::puzzles::{self, PuzzlesError};
use crate::workbench::quiz::{self, QuizError};
use crate::workbench::sweep::{self, SweepError};
use crate::workbench::{castling_rules, perft, startpos};

/// A UCI chess engine for which Chess960 is the normal case.
#[derive(Parser, Debug)]
#[command(
    name = "enroque",
    version,
    max_term_width = 80,
    after_help = "\
Without a command the program speaks UCI on standard input and output. UCI lines in quotes are executed in order:
  enroque 'position sp 334' d 'go depth 15'

Examples:
  enroque bench                    node count (the signature) and speed
  enroque speedtest                nodes per second in a game, with all cores
  enroque perft 5                  leaves of the move tree
  enroque startpos 334             a start position by number
  enroque explain sp:334           its castlings and their conditions
  enroque analyse sp:334
  enroque analyse games.pgn        annotated games
  enroque sweep chess960.csv       all 960 starts
  enroque prep 334                 a player's page for a start
  enroque help startpos            more about one command"
)]
struct Cli {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand, Debug)]
enum Tool {
    /// Search the benchmark positions: node count (the engine's signature) and speed
    #[command(after_help = "\
Examples:
  enroque bench
  enroque bench 10                 to depth 10")]
    Bench {
        /// Depth in plies
        depth: Option<i32>,
    },
    /// Measure the nodes per second in a game, to compare machines and builds
    #[command(after_help = "\
The positions of two games are searched in order, with the table and histories kept between moves.

Examples:
  enroque speedtest                one thread per core, ten seconds
  enroque speedtest 1 60           one thread, a minute")]
    Speedtest {
        /// Number of search threads [default: one per core]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=1024))]
        threads: Option<u64>,
        /// Duration in seconds [default: 10]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400))]
        seconds: Option<u64>,
    },
    /// Count the leaves of the legal move tree, or check a suite of counts
    Perft(perft::Arguments),
    /// Show start positions by number, draw them at random or by hand, and look up the number of a position
    Startpos(startpos::Arguments),
    Explain(explain::Arguments),
    Quiz(quiz::Arguments),
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Arguments),
    Sweep(sweep::Arguments),
    Draw(draw::Arguments),
    Prep(prep::Arguments),
    Puzzles(puzzles::Arguments),
    Datagen(datagen::Options),
    Train(train::Arguments),
    Match(matches::Options),
    #[command(subcommand)]
    Data(data::Arguments),
    /// Show the static evaluation of a position
    #[command(after_help = "\
Examples:
  enroque eval sp:334
  enroque eval 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1'")]
    Eval {
        /// FEN in any dialect, sp:NUMBER, dfrc:WHITE:BLACK, SET:NUMBER, or a back rank in letters [default: the orthodox
        /// start]
        position: Option<String>,
        /// Castling rules
        #[arg(long, default_value = "fischer", value_parser = castling_rules())]
        castling: CastlingRules,
    },
    /// Print the completion script of a shell
    #[command(after_help = "\
Examples:
  enroque completions bash >~/.local/share/bash-completion/completions/enroque
  enroque completions zsh >~/.zfunc/_enroque")]
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Print a page of the manual, or write all pages to a folder
    #[command(after_help = "\
Examples:
  enroque man | man -l -                    the program, with its UCI options
  enroque man data merge | man -l -         one command
  enroque man --output ~/.local/share/man/man6")]
    Man {
        /// Command of the page [default: the program itself]
        command: Vec<String>,
        /// Write enroque.6 and a page for each command to a folder
        #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
        output: Option<PathBuf>,
    },
}

/// Error of any tool.
#[derive(Debug, Error)]
enum ToolError {
    #[error(transparent)]
    Bench(#[from] BenchError),
    #[error(transparent)]
    Speedtest(#[from] SpeedtestError),
    #[error(transparent)]
    Perft(#[from] perft::PerftError),
    #[error(transparent)]
    Startpos(#[from] startpos::StartposError),
    #[error(transparent)]
    Datagen(#[from] DatagenError),
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Explain(#[from] ExplainError),
    #[error(transparent)]
    Quiz(#[from] QuizError),
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
    #[error(transparent)]
    Sweep(#[from] SweepError),
    #[error(transparent)]
    Draw(#[from] DrawError),
    #[error(transparent)]
    Prep(#[from] PrepError),
    #[error(transparent)]
    Puzzles(#[from] PuzzlesError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Manual(#[from] generate::ManualError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Returns `true` if the arguments are UCI lines rather than a tool: the first starts with a UCI command that is not
/// also the name of a tool.
pub fn are_uci_lines(arguments: &[String]) -> bool {
    let Some(first) = arguments.first() else { return false };
    let word = first.split_ascii_whitespace().next().unwrap_or("");
    let is_tool = ["bench", "speedtest", "eval", "help"].contains(&word) && word == first;
    COMMAND_WORDS.contains(&word) && !is_tool
}

/// Runs the tool named by the program's arguments.
pub fn run() -> ExitStatus {
    let cli = Cli::try_parse().unwrap_or_else(|error| number_errors::exit(&error));
    run_tool(cli.tool).unwrap_or_else(|error| ExitStatus::of_error(&error))
}

fn run_tool(tool: Tool) -> Result<ExitStatus, ToolError> {
    match tool {
        Tool::Bench { depth } => bench::run(depth)?,
        Tool::Speedtest { threads, seconds } => {
            let threads = threads.map(|threads| threads as usize);
            speedtest::run(speedtest::Request { threads, seconds })?;
        }
        Tool::Perft(arguments) => return Ok(perft::run(&arguments)?),
        Tool::Startpos(arguments) => startpos::run(&arguments)?,
        Tool::Explain(arguments) => explain::run(&arguments)?,
        Tool::Quiz(arguments) => quiz::run(&arguments)?,
        Tool::Analyse(arguments) => return Ok(analyse::run(&arguments)?),
        Tool::Sweep(arguments) => return Ok(sweep::run(&arguments)?),
        Tool::Draw(arguments) => return Ok(draw::run(&arguments)?),
        Tool::Prep(arguments) => return Ok(prep::run(&arguments)?),
        Tool::Puzzles(arguments) => return Ok(puzzles::run(&arguments)?),
        Tool::Datagen(arguments) => datagen::run(&arguments)?,
        Tool::Train(arguments) => train::run(arguments)?,
        Tool::Match(arguments) => return Ok(matches::run(&arguments)?),
        Tool::Data(arguments) => return Ok(data::run(&arguments)?),
        Tool::Eval { position, castling } => {
            let board = position::parse(position.as_deref().unwrap_or("startpos"), castling)?;
            print_line(&eval::table(&board, &Network::embedded()))?;
        }
        Tool::Completions { shell } => generate::completions(Cli::command(), shell)?,
        Tool::Man { output: Some(folder), .. } => generate::write_pages(Cli::command(), &folder)?,
        Tool::Man { command, output: None } => generate::print_page(Cli::command(), &command)?,
    }
    Ok(ExitStatus::Success)
}
