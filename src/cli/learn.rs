//! The arguments of the learning commands, `datagen`, `train` and `data`.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

use crate::learn::datagen::selfplay::Settings;
use crate::learn::datagen::{self, DatagenError};
use crate::learn::games::info::{self, DataError};
use crate::learn::games::{convert, merge};
use crate::learn::matches::node_clock::TimeControl;
use crate::learn::matches::sprt::Bounds;
use crate::learn::matches::{self, MatchError, Side, on_clock};
use crate::learn::train::{self, TrainError};
use crate::nnue::SCALE;
use crate::runs::shard::Shard;
use crate::terminal::ExitStatus;

/// Nodes a move, at most: hours.
const MAX_NODES: u64 = 100_000_000_000;

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

/// Play games against itself and write them down, for training
#[derive(Args, Debug)]
#[command(after_help = "\
The games are written in viriformat, compressed by zstd; FILE.json beside them says how they were made. The same \
command goes on where it was interrupted, also after a kill, and the same seed gives the same games whatever the \
number of threads.

Examples:
  enroque datagen games.zst --positions 50000
  enroque datagen g2.zst --games 200000 --nodes 1500 --seed 7 --threads 16
  enroque datagen part1.zst --games 1000000 --shard 1/8          on the first of eight machines
  enroque datagen g3.zst --positions 1000000 --nodes 1600 --tree 5 --network g2.nnue")]
pub struct DatagenArguments {
    /// File to write
    file: PathBuf,
    /// Stop after so many games
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    games: Option<u64>,
    /// Stop after so many positions
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Games played at once; all cores when left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Nodes a move after which no iteration begins; the hard limit is eight times that
    #[arg(long, value_name = "N", default_value_t = Settings::default().soft_nodes,
        value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    nodes: u64,
    /// Keep positions inside the search tree, too, when their own sub-search was at least so many plies deep; they go to
    /// FILE.tree, where `train` finds them, and are worth many times the games
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(i32).range(1..))]
    tree: Option<i32>,
    /// Network that evaluates; the program's own when left out
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Only the Ith of N equal parts of the games; `data merge` joins them
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Per cent of the games that begin in double Chess960; the others are orthodox
    #[arg(long, value_name = "PERCENT", default_value_t = Settings::default().double_percent,
        value_parser = value_parser!(u64).range(0..=100))]
    double: u64,
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

/// Play a new network against an old one, at so many nodes a move
#[derive(Args, Debug)]
#[command(after_help = "\
Each opening, of the kinds that `datagen` begins with, is played twice with colours changed. Games end where one side \
leads by 12.5 pawns for five plies or nothing happens for ten. Without a clock a busy machine changes nothing. With --tc \
fastchess plays the same openings on the clock; for two programs `scripts/sprt.sh` does. With --clock the time is managed \
as on a clock, but nodes are counted, a tenth of those of a real one: it compares ways to manage time on a busy machine, \
and shows differences larger than they are.

With --sprt the match ends when the test decides, and the exit code is 0 only when it is passed; on the clock fastchess \
tells the verdict.

Examples:
  enroque match new.nnue
  enroque match new.nnue old.nnue --games 4000 --nodes 5000
  enroque match new.nnue --games 40000 --sprt 0,4
  enroque match new.nnue --tc 2+0.02 --games 1000
  enroque match new.nnue --clock 2+0.02")]
pub struct MatchArguments {
    /// The new network
    #[arg(required = cfg!(not(feature = "tune")))]
    new: Option<PathBuf>,
    /// The old network; the program's own when left out
    old: Option<PathBuf>,
    /// Games, at most
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(2..))]
    games: u64,
    /// Play on the clock instead, by fastchess: seconds and increment, such as 2+0.02
    #[arg(long, value_name = "TC", conflicts_with = "nodes")]
    tc: Option<String>,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = value_parser!(u64).range(1..=MAX_NODES))]
    nodes: u64,
    /// Clocks that count nodes instead, a hundred to the millisecond: seconds and increment, such as 2+0.02
    #[arg(long, value_name = "TC", conflicts_with_all = ["nodes", "tc"])]
    clock: Option<TimeControl>,
    /// Stop when it is clear whether the difference is at least HIGH Elo or no more than LOW
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    sprt: Option<Bounds>,
    /// Games played at once; all cores when left out
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Per cent of the openings that are double Chess960; the others are orthodox
    #[arg(long, value_name = "PERCENT", default_value_t = Settings::default().double_percent,
        value_parser = value_parser!(u64).range(0..=100))]
    double: u64,
    /// Search parameters of the new side
    #[cfg(feature = "tune")]
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = parameter, conflicts_with = "tc")]
    with: Vec<(String, i32)>,
    /// Search parameters of the old side
    #[cfg(feature = "tune")]
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',', value_parser = parameter, conflicts_with = "tc")]
    against: Vec<(String, i32)>,
}

#[cfg(feature = "tune")]
fn parameter(text: &str) -> Result<(String, i32), String> {
    let pair = text.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
    let (name, value) = pair.ok_or("expected NAME=VALUE")?;
    let parameter = crate::search::params::all().into_iter().find(|parameter| parameter.name == name);
    let parameter = parameter.ok_or_else(|| format!("no parameter '{name}'"))?;
    if (parameter.min..=parameter.max).contains(&value) {
        Ok((name.to_owned(), value))
    } else {
        Err(format!("{name} is from {} to {}", parameter.min, parameter.max))
    }
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

/// Runs `datagen`.
///
/// # Errors
/// When the file cannot be written or holds other games.
pub fn datagen(arguments: DatagenArguments) -> Result<(), DatagenError> {
    datagen::run(&datagen::Options {
        file: arguments.file,
        games: arguments.games,
        positions: arguments.positions,
        threads: arguments.threads,
        nodes: arguments.nodes,
        network: arguments.network,
        tree_depth: arguments.tree,
        seed: arguments.seed,
        shard: arguments.shard,
        double_percent: arguments.double,
    })
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

/// Runs `match`.
///
/// # Errors
/// When a network cannot be read.
pub fn engine_match(arguments: MatchArguments) -> Result<ExitStatus, MatchError> {
    let options = matches::Options {
        new: Side {
            network: arguments.new,
            #[cfg(feature = "tune")]
            parameters: settings_of(&arguments.with, &arguments.against),
        },
        old: Side {
            network: arguments.old,
            #[cfg(feature = "tune")]
            parameters: settings_of(&arguments.against, &arguments.with),
        },
        pairs: arguments.games / 2,
        nodes: arguments.nodes,
        clock: arguments.clock,
        sprt: arguments.sprt,
        seed: arguments.seed,
        threads: arguments.threads,
        double_percent: arguments.double,
    };
    match &arguments.tc {
        Some(tc) => on_clock::run(&options, tc),
        None => matches::run(&options),
    }
}

/// What one side sets, and the defaults of what only the other sets.
#[cfg(feature = "tune")]
fn settings_of(
    own: &[(String, i32)],
    other: &[(String, i32)],
) -> Vec<(&'static crate::search::params::Parameter, i32)> {
    let value_of = |parameter: &crate::search::params::Parameter| {
        let named = |(name, _): &&(String, i32)| name == parameter.name;
        let set = own.iter().find(named).map(|(_, value)| *value);
        set.or_else(|| other.iter().find(named).map(|_| parameter.default))
    };
    crate::search::params::all().into_iter().filter_map(|p| Some((p, value_of(p)?))).collect()
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
