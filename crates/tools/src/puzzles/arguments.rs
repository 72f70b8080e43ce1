//! The arguments of `enroque-tools puzzles`.

use std::path::PathBuf;

use clap::Args;

use super::phase::Phase;
use enroque::chess::position::{self, PositionError};
use enroque::chess::{Board, CastlingRules};
use enroque::engine::options::MAX_HASH;

/// `--count` may ask for at most this many puzzles.
const MAX_COUNT: u64 = 10_000;
/// `--nodes` must be at least this: with a shorter search we couldn't prove that only one move wins.
const MIN_NODES: u64 = 1_000;

/// Parses `--start`. A position given as SET:NUMBER castles by the rules of its set, any other as in Chess960.
fn parse_start(text: &str) -> Result<Board, PositionError> {
    position::parse(text, CastlingRules::Fischer)
}

/// Find tactics with one solution, in games or self-play
#[derive(Args, Debug)]
#[command(after_help = "\
Without GAMES the program plays weakly against itself, from random starts of Chess960 or from --start. A game yields \
one puzzle at most, its hardest. A first search looks for candidates; a search with two lines, and another with twice the \
effort, confirm that only one move wins: it has a chance of at least 75 % by the formula of lichess, and every other move at least \
20 points less. A move that alone saves a draw from a loss counts, too, and the puzzle says so. A recapture, the capture of \
something undefended, a king's step out of check and a move without choice don't count, nor does a solution of one move that a \
search of 400 nodes already finds.

The solver plays on while only one move is good enough and until the point is on the board: mate, promotion or material. If \
other moves would do, too, the rest of the line is shown after the answer. Every output names the motif: mate, promotion, fork, \
skewer, discovered attack, pin, castling, defence (all other moves lose material) or material. At most a quarter of a set has \
solutions of one move.

The grade says how many nodes a search with two lines needs until the move stays far ahead: grade 1 (easy) up to 150, grade 2 (medium) up to 500, grade 3 (hard) beyond. The search ends when the set has a third of each grade; if the \
games run out, other grades fill it up.

The result of each game is appended to FILE at once, with the reason why each candidate was dropped; FILE.json records the settings. The same command resumes an interrupted \
search, and a larger --count continues a finished one. Ctrl-C writes the outputs with the puzzles found so far. The same \
seed, nodes and starts give the same puzzles.

Examples:
  enroque-tools puzzles 334.jsonl --start sp:334 --count 6 --page 334.html
  enroque-tools puzzles club.jsonl club.pgn --nodes 500000 --pgn tactics.pgn
  enroque-tools puzzles endings.jsonl --phase ending --count 12 --epd e.epd")]
pub struct Arguments {
    /// Results file to create or to resume
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// PGN files to search instead of self-play
    #[arg(value_name = "GAMES")]
    pub(super) games: Vec<PathBuf>,
    /// Start position of self-play, or several to use in turn; with GAMES, the start of games that don't state theirs
    #[arg(long = "start", value_name = "POSITION", value_parser = parse_start)]
    pub(super) starts: Vec<Board>,
    /// Number of puzzles to find
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    pub(super) count: u64,
    /// Seed for self-play and its random starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Nodes of the first search that proves a move; a second one takes twice as many
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(MIN_NODES..))]
    pub(super) nodes: u64,
    /// Number of the last move that counts as opening
    #[arg(long, value_name = "MOVE", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(super) moves: u32,
    /// Phases of the game to take puzzles from, separated by commas; an ending has at most six pieces besides kings and pawns
    #[arg(long = "phase", value_name = "PHASE", value_enum, value_delimiter = ',',
        default_values = ["opening", "middlegame", "ending"])]
    pub(super) phases: Vec<Phase>,
    /// Number of games searched in parallel; default: number of cores
    #[arg(long, value_name = "N", value_parser = enroque_runs::parallel::parse_threads)]
    pub(super) threads: Option<usize>,
    /// Hash table size of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH as u64))]
    pub(super) hash: u64,
    /// Write an HTML page with the puzzles, to solve or to print
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
    /// Write the positions with their solutions as EPD
    #[arg(long, value_name = "FILE")]
    pub(super) epd: Option<PathBuf>,
    /// Write the puzzles as games in PGN
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
}
