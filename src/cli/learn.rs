//! The arguments of the learning commands, `datagen`, `train` and `data`.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

use crate::learn::games::info::{self, DataError};
use crate::learn::games::{convert, merge};
use crate::learn::train::{self, TrainError};
use crate::nnue::SCALE;

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

/// Train a network on games of self-play
#[derive(Args, Debug)]
#[command(after_help = "\
Beside NETWORK.nnue come NETWORK.csv, a line of losses an epoch, and NETWORK.checkpoint, from which the same \
command goes on where it was interrupted.

Examples:
  enroque train first.nnue games.zst --epochs 10
  enroque train g2.nnue g1.zst g2.zst --epochs 30 --scale 235
  enroque train g3.nnue g3.zst --from g2.nnue --epochs 8 --rate 0.0002
  enroque train last.nnue g3.zst --from g3.nnue --games-only --epochs 2 --rate 0.00008 \\
      --lambda 0.3 --td-lambda 0.8 --average 0.5
  enroque train first.nnue games.zst --epochs 20 --continue          ten more
  enroque 'setoption name EvalFile value first.nnue' 'go depth 12'")]
pub struct TrainArguments {
    /// Network file to write
    network: PathBuf,
    /// Files of games, from `datagen`
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Network to begin with, as wide as the program or narrower; random weights when left out
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Times that each position is seen
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions of a step; 256 to 16384 by the size of the data when left out
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    batch: Option<u32>,
    /// Learning rate at first
    #[arg(long, default_value_t = 1e-3)]
    rate: f32,
    /// Learning rate at last, on a cosine
    #[arg(long, default_value_t = 2.7e-5)]
    last_rate: f32,
    /// Last share of the run, 0 to 1, over which the weights are averaged; with 0 they are those of the end
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    average: f32,
    /// Weight of the game's result, 0 to 1, beside the score; more of it wants many more games, or a low rate and two
    /// epochs, as results are soon learnt by heart
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    lambda: f32,
    /// The same at last, if it is to change
    #[arg(long, value_parser = share)]
    last_lambda: Option<f32>,
    /// The same with at most ten pieces on the board, if it is another; above 0 what searches saw of them is left out
    #[arg(long, value_name = "LAMBDA", value_parser = share)]
    endgame_lambda: Option<f32>,
    /// Weight, 0 to 1, of the next move's score in that of a position, and so on with those after it, as in TD(lambda):
    /// takes the chance out of scores of short searches
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = share)]
    td_lambda: f32,
    /// Learn from the positions of the games alone, not from what their searches saw: for a last stage at a low rate,
    /// with games by the hundred thousand; few are learnt by heart
    #[arg(long)]
    games_only: bool,
    /// Centipawns of the games' scores that mean a 73 % expectation
    #[arg(long, default_value_t = SCALE as f32)]
    scale: f32,
    /// Go on after a finished run of fewer epochs with the same games; the rates are those of the longer run
    #[arg(long = "continue")]
    resume: bool,
    /// Threads; all cores when left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of the order of positions and of the first weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Look at files of games, join and split them, exchange them with other trainers
#[derive(Subcommand, Debug)]
#[command(after_help = "\
Examples:
  enroque data info games.zst
  enroque data show games.zst --game 17
  enroque data merge all.zst g1.zst g2.zst
  enroque data export games.zst positions.bullet")]
pub enum DataArguments {
    /// Count games, results and usable positions, and fit the scale of the scores
    #[command(after_help = "\
The scale is the score whose expectation is 73 %, as the results of the games have it: what `train --scale` wants.

Examples:
  enroque data info games.zst")]
    Info {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Join files of games into one; every move is checked on the way
    #[command(after_help = "\
Examples:
  enroque data merge all.zst g1.zst g2.zst
  enroque data merge all.zst part*.zst       the shards of a run: exit code 1 when one is missing or double")]
    Merge {
        /// File to write
        file: PathBuf,
        /// Files to join
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// Succeed although games of a run are missing or double
        #[arg(long)]
        anyway: bool,
    },
    /// Print games in PGN, with the score of each move
    #[command(after_help = "\
Examples:
  enroque data show games.zst                the first ten
  enroque data show games.zst --game 17 --count 1")]
    Show {
        /// File of games
        file: PathBuf,
        /// Number of the first, counted from 1
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
        game: u64,
        /// How many
        #[arg(long, value_name = "N", default_value_t = 10)]
        count: u64,
    },
    /// Split a file of games into parts of the same size, with what their searches saw
    #[command(after_help = "\
Neighbouring games go into different parts, so that all are alike.

Examples:
  enroque data split games.zst a.zst b.zst c.zst")]
    Split {
        /// File of games
        file: PathBuf,
        /// Files to write
        #[arg(required = true, num_args = 2..)]
        parts: Vec<PathBuf>,
    },
    /// Write the usable positions for other programs: .bullet for the bullet trainer, .epd for text
    #[command(after_help = "\
A .bullet file holds 32 bytes a position (the ChessBoard of the crate bulletformat); an .epd file a line 'FEN | SCORE | \
RESULT', both for White, 0 to 1. Without --all only positions that `train` would use.

Examples:
  enroque data export games.zst positions.bullet
  enroque data export games.zst positions.epd --all")]
    Export {
        /// File of games
        file: PathBuf,
        /// File to write
        to: PathBuf,
        /// All positions, also those after captures, in check and of the opening; .epd only
        #[arg(long)]
        all: bool,
    },
    /// Make a file of games of the positions of another program, .bullet or .epd, for `train`
    #[command(after_help = "\
Each position becomes a game of one move, the first quiet one that it has; positions without one are told and left out. An \
.epd line is 'FEN | SCORE | RESULT' or 'FEN ... ce SCORE;', whose score is for the side to move.

Examples:
  enroque data import games.zst positions.bullet")]
    Import {
        /// File of games to write
        file: PathBuf,
        /// Positions
        from: PathBuf,
    },
}

/// Runs `train`.
///
/// # Errors
/// When games cannot be read or results not be written.
pub fn train(arguments: TrainArguments) -> Result<(), TrainError> {
    let settings = train::Hyperparameters {
        games: arguments.games,
        from: arguments.from,
        epochs: arguments.epochs,
        batch: arguments.batch.unwrap_or(0),
        rate: arguments.rate,
        last_rate: arguments.last_rate,
        average: arguments.average,
        lambda: arguments.lambda,
        last_lambda: arguments.last_lambda.unwrap_or(arguments.lambda),
        endgame_lambda: arguments.endgame_lambda,
        td_lambda: arguments.td_lambda,
        games_only: arguments.games_only,
        scale: arguments.scale,
        seed: arguments.seed,
    };
    train::run(&arguments.network, settings, arguments.threads.unwrap_or(0), arguments.resume)
}

/// Runs `data`; `false` when what was joined is not complete.
///
/// # Errors
/// When a file cannot be read or written.
pub fn data(arguments: &DataArguments) -> Result<bool, DataError> {
    match arguments {
        DataArguments::Info { files } => info::info(files).map(|()| true),
        DataArguments::Merge { file, parts, anyway } => Ok(merge::merge(file, parts)? || *anyway),
        DataArguments::Show { file, game, count } => info::show(file, *game, *count).map(|()| true),
        DataArguments::Split { file, parts } => convert::split(file, parts).map(|()| true),
        DataArguments::Export { file, to, all } => convert::export(file, to, *all).map(|()| true),
        DataArguments::Import { file, from } => convert::import(file, from),
    }
}
