//! The arguments of `enroque-tools startpos` and its subcommands.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::placing::{self, PlacementGame};
use enroque::chess::startpos::StartSet;
use enroque::chess::{Board, FenStyle};
use enroque_study::board;
use enroque_study::dice::{METHODS, Method};

/// `--count` may ask for at most this many starts.
const MAX_COUNT: u64 = 100_000;

/// Show start positions; draw them at random, with dice, or by hand
#[derive(clap::Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Every command prints X-FEN, in which K and Q are the castlings with the outermost rooks, because most programs read it. \
--fen shredder names the files of the rooks instead. All commands read both.

Examples:
  enroque-tools startpos 334                 by number
  enroque-tools startpos NRQKRBBN            by its back rank; also by FEN
  enroque-tools startpos 344:402             White 344, Black 402
  enroque-tools startpos --set dfrc 330642   the same by its number in the set
  enroque-tools startpos 12 345 678 --sheet round.svg --event Open --round 3
  enroque-tools startpos 334 --board svg >334.svg
  enroque-tools startpos random --count 9    nine starts, all different
  enroque-tools startpos roll one-die        rolls the die and prints each step
  enroque-tools startpos place               two players place pieces in turn
  enroque-tools startpos sets                the sets and their sizes
  enroque-tools startpos families            which starts transpose
  enroque-tools startpos counts              how many have which property"
)]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<StartposCommand>,
    #[command(flatten)]
    pub(super) show: ShowArguments,
}

#[derive(clap::Subcommand, Debug)]
pub enum StartposCommand {
    Random(RandomArguments),
    Roll(RollArguments),
    Place(PlaceArguments),
    Sets(SetsArguments),
    Families(FamiliesArguments),
    /// Count the figures about the 960 starts that people quote, next to wrong ones that were published
    #[command(after_help = "\
Examples:
  enroque-tools startpos counts
  enroque-tools startpos counts >counts.txt")]
    Counts,
}

/// The arguments of `startpos` without a subcommand.
#[derive(clap::Args, Debug)]
pub struct ShowArguments {
    /// Position numbers in the set, WHITE:BLACK for two back ranks, SET:NUMBER, back ranks such as NRQKRBBN, or FENs;
    /// default: number 518, or 0 if the set is too small
    #[arg(value_name = "POSITION")]
    pub positions: Vec<String>,
    /// Set of start positions, listed by enroque-tools startpos sets
    #[arg(long, default_value = "chess960", value_parser = crate::text::start_set())]
    pub set: &'static StartSet,
    #[command(flatten)]
    pub style: StyleArguments,
    #[command(flatten)]
    pub sheet: SheetArguments,
}

/// Draw different start positions at random from a set
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The first line is the command that repeats the draw. The same seed gives the same starts in every version of the program.

Examples:
  enroque-tools startpos random --set chess324
  enroque-tools startpos random --count 9 --seed 2026 --exclude 0..5,518
  enroque-tools startpos random --count 6 --sheet round.svg --event Open")]
pub struct RandomArguments {
    /// Set of start positions, listed by enroque-tools startpos sets
    #[arg(long, default_value = "chess960", value_parser = crate::text::start_set())]
    pub set: &'static StartSet,
    /// Draw N starts and list them, one per line
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "board"], value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    pub count: Option<u64>,
    /// Seed for the draw; default: a random seed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Starts to leave out: numbers in the set, ranges such as 0..5, back ranks
    #[arg(long, value_name = "POSITION", value_delimiter = ',')]
    pub exclude: Vec<String>,
    #[command(flatten)]
    pub style: StyleArguments,
    #[command(flatten)]
    pub sheet: SheetArguments,
}

/// Draw a start with dice, cards or coins, step by step
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Without METHOD the command prints the rules of all methods and their exact probabilities.

Examples:
  enroque-tools startpos roll                the rules of all methods
  enroque-tools startpos roll one-die        the program rolls the die
  enroque-tools startpos roll one-die --rolls 2 3 3 2 3
  enroque-tools startpos roll dice --rolls 5,2,6,17          d8, d4, d6 and d20
  enroque-tools startpos roll dice-8-10-12 --rolls 5 4 3     d8, d10 and d12
  enroque-tools startpos roll ten-coins --rolls HTTTTTTHHT")]
pub struct RollArguments {
    /// Drawing method; --rolls takes the dice in the order that its description gives
    #[arg(value_parser = method())]
    pub method: Option<&'static Method>,
    /// Results of the dice, cards or coins in order, several coins in one word if you like; default: random
    #[arg(long, num_args = 1.., value_name = "ROLL", requires = "method")]
    pub rolls: Vec<String>,
    #[command(flatten)]
    pub style: StyleArguments,
}

/// Play a placement game: two players at the terminal place pieces in turn
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools startpos place               each player fills a back rank
  enroque-tools startpos place spanish       both fill one back rank
  enroque-tools startpos place spanish --program white --advise
  enroque-tools startpos place pairs --first white --clock 5")]
pub struct PlaceArguments {
    /// Placement game to play
    #[arg(default_value = "chess960", value_parser = PlacementGame::parser())]
    pub game: &'static PlacementGame,
    #[command(flatten)]
    pub settings: placing::Settings,
    #[command(flatten)]
    pub style: StyleArguments,
}

/// List all sets of start positions, or all positions of one set
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  enroque-tools startpos sets                names and sizes
  enroque-tools startpos sets chess90        its 90 positions, one FEN a line")]
pub struct SetsArguments {
    /// Print every position of this set, one FEN per line
    #[arg(value_parser = crate::text::start_set())]
    pub set: Option<&'static StartSet>,
    /// FEN dialect; no effect in Chess2880, which has its own
    #[arg(long, value_name = "DIALECT", default_value = "x", requires = "set", value_parser = fen_style())]
    pub fen: FenStyle,
}

/// Show which starts transpose into each other while no pawn moves
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Knights leave the back rank and return elsewhere; the other pieces slide along the squares that become free. Only bishops \
stay where they are. Both sides do the same, so that one start becomes another.

Examples:
  enroque-tools startpos families            all 192 families, one a line
  enroque-tools startpos families --rights   708 that keep castling rights
  enroque-tools startpos families --page families.html")]
pub struct FamiliesArguments {
    /// Move neither king nor rooks, so that all castling rights remain
    #[arg(long)]
    pub rights: bool,
    /// HTML page to write: the map of both kinds of families
    #[arg(long, value_name = "FILE", conflicts_with = "rights")]
    pub page: Option<PathBuf>,
}

/// How to print a start.
#[derive(clap::Args, Debug)]
pub struct StyleArguments {
    /// Print only the FEN, in this dialect; no effect in Chess2880, which has its own
    #[arg(long, value_name = "DIALECT", value_parser = fen_style(), conflicts_with = "board")]
    pub fen: Option<FenStyle>,
    /// Print one line of JSON: numbers, FENs and the facts of both sides
    #[arg(long, conflicts_with_all = ["fen", "board"])]
    pub json: bool,
    /// How to draw the board; svg prints only the picture
    #[arg(long, value_name = "STYLE", default_value = "ascii")]
    pub board: BoardStyle,
}

impl StyleArguments {
    /// Whether standard output gets a picture or data for another program, so that text for people must go elsewhere.
    pub fn is_data(&self) -> bool {
        self.fen.is_some() || self.json || self.board == BoardStyle::Svg
    }
}

/// What to write on the printable sheet, and where.
#[derive(clap::Args, Debug)]
pub struct SheetArguments {
    /// SVG file to write and print: six boards on an A4 page; from the second page on, a number goes before the
    /// extension (sheet-2.svg)
    #[arg(long = "sheet", value_name = "FILE", value_parser = crate::text::svg_path())]
    pub path: Option<PathBuf>,
    /// Event name to print on the sheet
    #[arg(long, value_name = "TEXT", requires = "path")]
    pub event: Option<String>,
    /// Round to print on the sheet
    #[arg(long, value_name = "TEXT", requires = "path")]
    pub round: Option<String>,
    /// Date to print on the sheet; default: today
    #[arg(long, value_name = "TEXT", requires = "path")]
    pub date: Option<String>,
}

/// How `--board` draws a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum BoardStyle {
    /// Letters in a grid
    Ascii,
    /// Unicode chess symbols
    Unicode,
    /// An SVG picture
    Svg,
}

impl BoardStyle {
    /// Draws the board with White at the bottom.
    pub fn draw(self, position: &Board) -> String {
        match self {
            Self::Ascii => enroque::chess::notation::diagram(position),
            Self::Unicode => board::unicode(position),
            Self::Svg => board::svg(position),
        }
    }
}

fn fen_style() -> impl TypedValueParser<Value = FenStyle> {
    PossibleValuesParser::new(["x", "shredder"])
        .map(|name| if name == "x" { FenStyle::XFen } else { FenStyle::Shredder })
}

fn method() -> impl TypedValueParser<Value = &'static Method> {
    let values = METHODS.iter().map(|method| PossibleValue::new(method.name).help(method.summary));
    PossibleValuesParser::new(values).map(|name| Method::by_name(&name).unwrap_or(&METHODS[0]))
}
