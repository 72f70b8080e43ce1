//! The arguments of `enroque-tools analyse`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};

use crate::searcher::Settings;
use crate::searcher::limits::LimitArguments;
use enroque::chess::position;
use enroque::chess::{Board, CastlingRules};
use enroque::search::limits::Limits;
use enroque::util::text::shortened;
use enroque_runs::files;
use enroque_runs::manifest;
use enroque_runs::shard::Shard;

/// Node limit per position if the user sets no limit on depth, nodes or time.
const DEFAULT_NODES: u64 = 2_000_000;
/// Default hash size, in MiB, for positions given on the command line.
const POSITION_HASH: usize = 64;
/// Default hash size, in MiB, of each thread that searches positions of a file. It is small because a thread clears its
/// TT before every position. Without that, results would depend on what the thread searched before.
const FILE_HASH: usize = 16;

/// Returns the file that keeps the finished games of a run whose output is `path`: `out.pgn.jsonl` for `out.pgn`.
pub(super) fn run_file(path: &Path) -> PathBuf {
    files::sibling(path, "jsonl")
}

#[derive(Subcommand, Debug)]
pub enum AnalyseCommand {
    /// Join the games that several shards analysed
    #[command(after_help = "\
The parts are what --output or --page of each shard wrote; next to each lie its games as lines of JSON, which we join. FILE \
becomes a page if it ends in .html, and PGN otherwise. The command of the whole analysis, without --shard and with FILE as \
its output, goes on from there.

Examples:
  enroque-tools analyse merge games.html part*.html
  enroque-tools analyse merge annotated.pgn part1.pgn part2.pgn")]
    Merge {
        /// File to write the games to: .html or .pgn
        file: PathBuf,
        /// Outputs of the shards
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// Exit with code 0 even if games are missing or in several files
        #[arg(long)]
        anyway: bool,
    },
}

/// Analyse positions, test suites (EPD) and games (PGN)
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
INPUT is one of:
  - a FEN in any dialect, or startpos
  - a start position: 518, 502:532 (White's and Black's), chess90:7
  - a back rank: NRQKRBBN
  - an EPD file, a PGN file, or - for either on standard input

Scores and win/draw/loss chances are White's; +1.00 is an even chance to win. The default limit is 2,000,000 nodes per \
position.

An EPD file is a test suite: each position with bm, am or dm is reported as solved or unsolved, scored moves (c0) give \
points, and the exit code is 1 unless all are solved.

The games of a PGN file become a page (--page), annotated PGN (--output, or standard output without either), or JSON. \
Each move gets a score in pawns, on the scale of Stockfish 15.1 that chess sites use. A move that lowers the chance to \
win by at least 6 percentage points, by lichess's formula, is marked ?!, from 12 points on ? and from 18 on ?? \
(lichess: 5, 10 and 15). A limit such as --nodes is the most that one position may cost. A first look takes a \
sixteenth of it. Where the chances change by 4 points or more, we compare the move with the best other one in one \
search, with half of the limit. Where the lines that we found prove it, a sentence says why a move is bad. \"Only \
move\" means that the next best loses 12 points or more, and \"Missed mate\" that a move without a mark gave up a \
mate. Moves may be written with English, German, French, Spanish, Italian, Dutch or Polish letters, figurines or \
coordinates. A game with an error is analysed up to the error, and the exit code is 1.

In annotated PGN your comments, clock times, variations and signs such as ! or ?? stay, and a move that has a sign gets no \
second one. Every [%eval] is replaced, whoever wrote it, and removed from variations. So is what an earlier analysis by Enroque or lichess added: the \
words \"Mistake. Loses a pawn after Qxb2. Nf3 was best.\", the sign that goes with them, and the lines that begin with \
our name.

With --output or --page each finished game becomes a line of FILE.jsonl next to FILE, and FILE.json records the settings. \
The same command continues an interrupted analysis from there, within the game that Ctrl-C interrupted, and makes further \
outputs without a search.

FENs are printed as X-FEN, in which K and Q are the castlings with the outermost rooks.

Examples:
  enroque-tools analyse games.pgn --page review.html
  enroque-tools analyse games.pgn --page review.html --me Polgar
  enroque-tools analyse games.pgn --page review.html --board enroque.html
  enroque-tools analyse sp:334 --movetime 10000 --multipv 3
  enroque-tools analyse 'rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1' --depth 20
  enroque-tools analyse wac.epd --nodes 100000
  enroque-tools analyse games.pgn --output annotated.pgn --graph game.svg
  enroque-tools analyse games.pgn --page part1.html --shard 1/4
  enroque-tools analyse open.pgn --start sp:334 --nodes 200000 >annotated.pgn
  enroque-tools analyse startpos sp:0 --json --depth 16"
)]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<AnalyseCommand>,
    /// Positions and files to analyse
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<std::ffi::OsString>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Stop on finding a mate in at most this many moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(i32).range(1..))]
    pub(super) mate: Option<i32>,
    /// Number of best moves to show, each with its principal variation
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) multipv: u16,
    /// Search threads for a position (default 1); for files, how many positions to search in parallel (default one per
    /// core)
    #[arg(long, value_name = "N", value_parser = enroque_runs::parallel::parse_threads)]
    pub(super) threads: Option<usize>,
    /// Hash size of each search in MiB (default 64, for files 16)
    #[arg(long, value_name = "MIB", value_parser = crate::searcher::parse_hash)]
    hash: Option<usize>,
    /// Folders with Syzygy tablebases, separated as in PATH
    #[arg(long, value_name = "FOLDERS")]
    pub(super) syzygy: Option<String>,
    /// Castling rules; a Variant tag or a set of start positions overrides fischer
    #[arg(long, default_value = "fischer", value_parser = crate::text::castling_rules())]
    pub(super) castling: CastlingRules,
    /// Start position of Chess960 games whose tags do not give it: sp:334, a FEN or another position
    #[arg(long, value_name = "POSITION")]
    pub(super) start: Option<String>,
    /// Show the boards on the page from the side of the player whose name contains NAME, and sum up this player's
    /// mistakes at the end
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(super) me: Option<String>,
    /// Analyse only the Ith of N equal parts of the games; enroque-tools analyse merge joins the parts
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub(super) shard: Shard,
    /// Print one line of JSON per position or game
    #[arg(long)]
    pub(super) json: bool,
    /// Draw a graph of White's chance to win for each game, as an SVG file; from game 2 on, the game number goes before
    /// the extension (graph-2.svg)
    #[arg(long, value_name = "FILE", value_parser = crate::text::svg_path())]
    pub(super) graph: Option<PathBuf>,
    /// Write an HTML page instead of PGN: board, graph, moves and mistakes of all games; the same command resumes an
    /// interrupted analysis
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
    /// Link each position on the page to a board: ADDRESS leads from the page to enroque.html (which make web builds)
    #[arg(long, value_name = "ADDRESS", requires = "page", value_parser = crate::text::board_address)]
    pub(super) board: Option<String>,
    /// Write the annotated games to a file, each when it is done; the same command resumes an interrupted analysis
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

impl Arguments {
    /// Returns the start position of games whose tags do not give it. It castles by `--castling` or, if that is Fischer's,
    /// by the rules of its set.
    pub(super) fn start(&self) -> Result<Option<Board>> {
        let parse = |text: &String| {
            position::parse(text, self.castling).with_context(|| format!("--start {}", shortened(text)))
        };
        self.start.as_ref().map(parse).transpose()
    }

    /// Returns the settings of the search of positions on the command line.
    pub(super) fn position_settings(&self) -> Settings<'_> {
        let hash = self.hash.unwrap_or(POSITION_HASH);
        Settings { hash, threads: self.threads.unwrap_or(1), ..self.file_settings() }
    }

    /// Returns the settings of each search of positions in files.
    pub(super) fn file_settings(&self) -> Settings<'_> {
        let syzygy = self.syzygy.as_deref();
        Settings { hash: self.file_hash(), threads: 1, multi_pv: self.multipv.into(), syzygy }
    }

    pub(super) fn file_hash(&self) -> usize {
        self.hash.unwrap_or(FILE_HASH)
    }

    /// Returns all files that we write, including the manifest and the file of finished games next to each output.
    pub(super) fn outputs(&self) -> Vec<PathBuf> {
        let kept = [&self.output, &self.page].into_iter().flatten();
        let kept = kept.flat_map(|path| [path.clone(), manifest::path(path), run_file(path)]);
        kept.chain(self.graph.clone()).collect()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { mate: self.mate, ..self.limits.or_nodes(DEFAULT_NODES) }
    }
}
