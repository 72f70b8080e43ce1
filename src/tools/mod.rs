//! The command-line tools, one file each, and the definition of the command line.

pub mod bench;
mod dice;
pub mod eval;
pub mod genfens;
pub mod perft;
pub mod startpos;

use clap::{Parser, Subcommand};
use thiserror::Error;

use crate::chess::{Board, CastlingRules, FenError};
use crate::engine::EngineError;
use crate::learn::datagen::{self, DatagenError};
use crate::uci::{command::COMMAND_WORDS, say};

/// A UCI chess engine for which Chess960 is the normal case.
#[derive(Parser, Debug)]
#[command(
    name = "enroque",
    version,
    after_help = "\
Without a command it speaks UCI on standard input and output. UCI lines in quotes are carried out in order:
  enroque 'position sp 334' d 'go depth 15'

Examples:
  enroque bench                    node count (the signature) and speed
  enroque perft 5
  enroque startpos 334
  enroque help startpos            more about one command"
)]
struct Cli {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand, Debug)]
enum Tool {
    /// Search the benchmark positions: node count (the engine's signature) and speed
    Bench {
        /// Depth in plies
        depth: Option<i32>,
    },
    /// Count the leaves of the legal move tree, or check a suite of counts
    Perft(perft::Arguments),
    /// Show start positions by number, dice or chance, and the number of a position
    Startpos(startpos::Arguments),
    Datagen(datagen::Arguments),
    /// Show the static evaluation of a position
    Eval {
        /// The position, in any dialect of FEN; the orthodox start when left out
        fen: Option<String>,
        /// How castling is laid out: fischer, nearest, orthodox480, none
        #[arg(long, default_value = "fischer", value_parser = castling_rules)]
        castling: CastlingRules,
    },
}

/// Why a tool failed.
#[derive(Debug, Error)]
enum ToolError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Perft(#[from] perft::PerftError),
    #[error(transparent)]
    Startpos(#[from] startpos::StartposError),
    #[error(transparent)]
    Datagen(#[from] DatagenError),
    #[error(transparent)]
    Fen(#[from] FenError),
}

/// Reads the name of castling rules.
fn castling_rules(name: &str) -> Result<CastlingRules, String> {
    let names = || CastlingRules::ALL.map(CastlingRules::name).join(", ");
    CastlingRules::from_name(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// `true` when the arguments are UCI lines rather than a tool: the first begins with a word of the protocol
/// that names no tool.
pub fn are_uci_lines(arguments: &[String]) -> bool {
    let Some(first) = arguments.first() else { return false };
    let word = first.split_ascii_whitespace().next().unwrap_or("");
    let is_tool = ["bench", "eval", "help"].contains(&word) && word == first;
    COMMAND_WORDS.contains(&word) && !is_tool
}

/// Runs the tool that the program's arguments name and gives the exit code: 0 good, 1 a check failed,
/// 2 bad usage or input.
pub fn run() -> u8 {
    match run_tool(Cli::parse().tool) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            eprintln!("enroque: {error}");
            2
        }
    }
}

fn run_tool(tool: Tool) -> Result<bool, ToolError> {
    match tool {
        Tool::Bench { depth } => bench::run(depth)?,
        Tool::Perft(arguments) => return Ok(perft::run(&arguments)?),
        Tool::Startpos(arguments) => startpos::run(&arguments)?,
        Tool::Datagen(arguments) => datagen::run(&arguments)?,
        Tool::Eval { fen, castling } => {
            let board = match fen {
                Some(fen) => Board::from_fen(&fen, castling)?,
                None => Board::startpos(),
            };
            say(&eval::table(&board));
        }
    }
    Ok(true)
}
