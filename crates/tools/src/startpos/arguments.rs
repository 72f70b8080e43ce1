//! Arguments of `enroque-tools startpos`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::methods::Method;
use super::placing::Game;
use enroque::chess::startpos::StartSet;
use enroque::chess::{Board, FenStyle};
use enroque_study::board;

/// Style of a printed board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum BoardStyle {
    /// Letters in a grid
    Ascii,
    /// Unicode chess symbols
    Unicode,
    /// An SVG picture
    Svg,
}

impl Arguments {
    /// Returns `true` if positions are drawn at random.
    pub(super) fn is_random(&self) -> bool {
        self.random || self.count.is_some() || self.seed.is_some() || !self.exclude.is_empty()
    }

    /// Returns `true` if standard output receives one picture, or data for another program.
    pub(super) fn prints_data(&self) -> bool {
        self.fen.is_some() || self.json || self.board == BoardStyle::Svg
    }
}

impl BoardStyle {
    /// Returns the board in this style, White below.
    pub fn draw(self, position: &Board) -> String {
        match self {
            Self::Ascii => enroque::terminal::diagram(position),
            Self::Unicode => board::unicode(position),
            Self::Svg => board::svg(position),
        }
    }
}

/// A draw has at most this many positions.
const MAX_COUNT: u64 = 100_000;

/// With these arguments nothing is drawn at random.
const NOT_RANDOM: [&str; 6] = ["positions", "all", "method", "methods", "place", "sets"];

/// Show start positions by number, by hand or at random, and the number of a position
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools startpos 334                 by number; also sp334, NRQKRBBN or a FEN
  enroque-tools startpos 344:402             White 344, Black 402 (double Chess960)
  enroque-tools startpos --set dfrc 330642   the same by its number in the set
  enroque-tools startpos --random --set chess324
  enroque-tools startpos --random --count 9 --seed 2026 --exclude 0..5,518
                                       a draw that the seed repeats
  enroque-tools startpos 12 345 678 --sheet round.svg --event Open --round 3
                                       to print; also with --random
  enroque-tools startpos --all --set chess90
                                       one FEN a line
  enroque-tools startpos --method one-die    rolls the die and prints each step
  enroque-tools startpos --method one-die --rolls 2 3 3 2 3
  enroque-tools startpos --method dice --rolls 5 2 6 17
                                       d8, d4, d6 and d20
  enroque-tools startpos --method dice-8-10-12 --rolls 5 4 3
                                       three dice, no roll repeated
  enroque-tools startpos --method cards      deals fourteen cards in three rows
  enroque-tools startpos --method ten-coins --rolls HTTTTTTHHT
  enroque-tools startpos --methods           rules and exact probabilities
  enroque-tools startpos --place             two players place pieces in turn
  enroque-tools startpos --place prechess    the same by Benko's rules
  enroque-tools startpos 334 --board svg >334.svg
  enroque-tools startpos 334 --json          weak pawns, castlings, bishops, mirror
  enroque-tools startpos --sets              the sets and their sizes")]
pub struct Arguments {
    /// Numbers of the set, WHITE:BLACK for two back ranks, SET:NUMBER, back ranks such as NRQKRBBN, or FENs; default:
    /// number 518, or 0 in a set with fewer positions
    #[arg(value_name = "POSITION", conflicts_with_all = ["random", "all", "method", "sets", "place"])]
    pub(super) positions: Vec<String>,
    /// Set of start positions
    #[arg(long, default_value = "chess960", value_parser = crate::start_set(), conflicts_with_all = ["method", "place", "sets"])]
    pub(super) set: &'static StartSet,
    /// Draw a position of the set at random
    #[arg(long)]
    pub(super) random: bool,
    /// Draw several positions, all different
    #[arg(long, value_name = "N", conflicts_with_all = NOT_RANDOM, value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    pub(super) count: Option<u64>,
    /// Seed of the draw, with the same result in every version of the program; default: random, and printed
    #[arg(long, value_name = "N", conflicts_with_all = NOT_RANDOM)]
    pub(super) seed: Option<u64>,
    /// Positions of the set to exclude from the draw: numbers, ranges such as 0..5, back ranks
    #[arg(long, value_name = "POSITION", conflicts_with_all = NOT_RANDOM, value_delimiter = ',')]
    pub(super) exclude: Vec<String>,
    /// SVG file to print: six boards on an A4 page; later pages have a number before the ending
    #[arg(
        long,
        value_name = "FILE",
        value_parser = crate::svg::path(),
        conflicts_with_all = ["all", "method", "methods", "place", "sets"]
    )]
    pub(super) sheet: Option<PathBuf>,
    /// Name of the event on the sheet
    #[arg(long, value_name = "TEXT", requires = "sheet")]
    pub(super) event: Option<String>,
    /// Round on the sheet
    #[arg(long, value_name = "TEXT", requires = "sheet")]
    pub(super) round: Option<String>,
    /// Date on the sheet; default: today
    #[arg(long, value_name = "TEXT", requires = "sheet")]
    pub(super) date: Option<String>,
    /// Print every position of the set, one FEN a line
    #[arg(long, conflicts_with_all = ["random", "method"])]
    pub(super) all: bool,
    /// Draw a set-up with dice, cards or coins, and print each step
    #[arg(long, value_name = "METHOD", value_parser = Method::parser(), conflicts_with = "random")]
    pub(super) method: Option<&'static Method>,
    /// Results of the dice, cards or coins in order, several coins in one word if you like; default: random
    #[arg(long, num_args = 1.., value_name = "ROLL", requires = "method")]
    pub(super) rolls: Vec<String>,
    /// List the drawing methods with their rules and exact probabilities
    #[arg(long, conflicts_with_all = ["positions", "random", "all", "method", "place", "sets"])]
    pub(super) methods: bool,
    /// Play a placement game of two players at the terminal
    #[arg(
        long,
        value_name = "GAME",
        num_args = 0..=1,
        default_missing_value = "chess960",
        value_parser = Game::parser(),
        conflicts_with_all = ["random", "all", "method"]
    )]
    pub(super) place: Option<&'static Game>,
    /// List the sets
    #[arg(long)]
    pub(super) sets: bool,
    /// Print only FENs, in this dialect; Chess2880 has its own
    #[arg(long, value_name = "DIALECT", value_parser = fen_style(), conflicts_with_all = ["board", "sets"])]
    pub(super) fen: Option<FenStyle>,
    /// Print one line of JSON: numbers, FENs and the facts of both sides
    #[arg(long, conflicts_with_all = ["fen", "board", "all", "sets", "methods", "count", "seed"])]
    pub(super) json: bool,
    /// Style of the board; svg prints only the picture
    #[arg(long, value_name = "STYLE", default_value = "ascii", conflicts_with_all = ["all", "sets"])]
    pub(super) board: BoardStyle,
}

fn fen_style() -> impl TypedValueParser<Value = FenStyle> {
    PossibleValuesParser::new(["x", "shredder"])
        .map(|name| if name == "x" { FenStyle::XFen } else { FenStyle::Shredder })
}
