//! `enroque startpos`: start positions by number, by hand, at random, or all of a set; and the number of a
//! position.

mod drawing;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use thiserror::Error;

use super::methods::{self, Method, MethodError, Rolls};
use super::placing::{self, PlacingError};
use super::position::{self, PositionError};
use crate::chess::startpos::{self, START_SETS, SetNumberError, StartCastling, StartSet};
use crate::chess::{Board, CastlingRules, FenStyle};
use crate::terminal::{OutputError, board, eprint_line, print_line};
use crate::util::random::Random;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum BoardStyle {
    /// Letters in a grid
    Ascii,
    /// Chess characters
    Unicode,
    /// A picture
    Svg,
}

impl BoardStyle {
    /// The board in this style, White below.
    pub fn draw(self, position: &Board) -> String {
        match self {
            Self::Ascii => board::diagram(position),
            Self::Unicode => board::unicode(position),
            Self::Svg => board::svg(position),
        }
    }
}

/// Which start position.
#[derive(clap::Args, Debug)]
#[command(after_help = concat!("\
Examples:
  enroque startpos 518                       the orthodox start
  enroque startpos 344:402                   White 344, Black 402 (double Chess960)
  enroque startpos --set dfrc 330642         the same by its number in the set
  enroque startpos 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1'
  enroque startpos NRQKRBBN                  by its back rank
  enroque startpos --random --set chess324
  enroque startpos --random --count 9 --seed 2026 --exclude 518,534 --sheet round.svg
                                             nine different ones for a tournament: who knows the seed can check them
  enroque startpos --all --set chess90       one FEN a line
  enroque startpos --method one-die          throws the die itself and shows each step
  enroque startpos --method one-die --rolls 2 3 3 2 3
  enroque startpos --method dice --rolls 5 2 6 17      d8, d4, d6 and d20
  enroque startpos --method cards --rolls R1 N1 B1 Q K B2 N2 R2
  enroque startpos --method coins --rolls TH HT THT TTH THT
  enroque startpos --place                   two people place their pieces in turn
  enroque startpos 334 --board svg >334.svg
  enroque startpos --sets                    the sets and their sizes"))]
pub struct Arguments {
    /// A number of the set, WHITE:BLACK for two back ranks, SET:NUMBER, a back rank such as NRQKRBBN, or a FEN to be numbered
    #[arg(conflicts_with_all = ["random", "all", "method", "sets", "place"])]
    what: Option<String>,
    /// The set of start positions
    #[arg(long, default_value = "chess960", value_parser = super::start_set(), conflicts_with_all = ["method", "place", "sets"])]
    set: &'static StartSet,
    /// Positions of the set at random
    #[arg(long)]
    random: bool,
    /// So many, all different
    #[arg(long, value_name = "N", requires = "random", conflicts_with = "what", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    count: Option<u64>,
    /// Decides which are drawn, in this and every other version of the program; drawn itself when left out, and told
    #[arg(long, value_name = "N", requires = "random", conflicts_with = "what")]
    seed: Option<u64>,
    /// Numbers of the set that are not drawn
    #[arg(long, value_name = "NUMBER", requires = "random", conflicts_with = "what", value_delimiter = ',')]
    exclude: Vec<String>,
    /// Write the boards to an SVG file to be printed, six a page; further pages get a number before the ending
    #[arg(long, value_name = "FILE", requires = "random", conflicts_with = "what")]
    sheet: Option<PathBuf>,
    /// Every position of the set, a FEN a line
    #[arg(long, conflicts_with_all = ["random", "method"])]
    all: bool,
    /// Draw a set-up by hand, each step shown
    #[arg(long, value_name = "METHOD", conflicts_with = "random")]
    method: Option<Method>,
    /// What the dice, cards or coins showed; the program throws them when left out
    #[arg(long, num_args = 1.., value_name = "ROLL", requires = "method")]
    rolls: Vec<String>,
    /// The placement game between two people at the terminal
    #[arg(long, conflicts_with_all = ["random", "all", "method"])]
    place: bool,
    /// List the sets
    #[arg(long)]
    sets: bool,
    /// Write FENs in this dialect only
    #[arg(long, value_parser = fen_style(), conflicts_with_all = ["board", "sets"])]
    fen: Option<FenStyle>,
    /// How the board is drawn; an SVG picture comes alone
    #[arg(long, value_name = "STYLE", default_value = "ascii", conflicts_with_all = ["all", "sets"])]
    board: BoardStyle,
}

fn fen_style() -> impl TypedValueParser<Value = FenStyle> {
    PossibleValuesParser::new(["x", "shredder"])
        .map(|name| if name == "x" { FenStyle::XFen } else { FenStyle::Shredder })
}

/// Why there is no such start position.
#[derive(Debug, Error)]
pub enum StartposError {
    /// Not a number of the set.
    #[error(transparent)]
    Number(#[from] SetNumberError),
    /// Nothing that names a position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// More than there are.
    #[error("--count: the set {set} has {most} positions without those excluded")]
    Count {
        /// Its name.
        set: &'static str,
        /// What is left of it.
        most: u64,
    },
    /// A sheet that cannot be written.
    #[error("{}: {reason}", path.display())]
    Sheet {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A position that no set has.
    #[error("not a start position: expected all pawns at home and one set of pieces behind them, found {0}")]
    NotAStart(String),
    /// Rolls that give nothing.
    #[error("--rolls: {0}")]
    Rolls(#[from] MethodError),
    /// A placement game without an end.
    #[error(transparent)]
    Placing(#[from] PlacingError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Runs the tool.
///
/// # Errors
/// When there is no such start position.
pub fn run(arguments: &Arguments) -> Result<(), StartposError> {
    let set = arguments.set;
    if arguments.sets {
        return Ok(list_sets()?);
    }
    if arguments.all {
        return print_all(set, arguments.fen.unwrap_or(FenStyle::Shredder));
    }
    let board = if let Some(method) = arguments.method {
        by_hand(method, &arguments.rolls)?
    } else if arguments.place {
        placing::play(std::io::stdin().lock())?
    } else if arguments.random {
        return drawing::run(arguments);
    } else if let Some(what) = &arguments.what {
        named(set, what)?
    } else {
        let orthodox = u64::from(startpos::ORTHODOX);
        numbered(set, if set.count() > orthodox { orthodox } else { 0 })?
    };
    Ok(show(&board, arguments)?)
}

fn numbered(set: &'static StartSet, number: u64) -> Result<Board, StartposError> {
    let parsed = set.parse(&number.to_string())?;
    set.position(parsed).ok_or_else(|| StartposError::NotAStart(number.to_string()))
}

/// The start position that a person named: a number of the set, or what names a position everywhere.
fn named(set: &'static StartSet, what: &str) -> Result<Board, StartposError> {
    let is_number = what.split(':').all(|part| part.parse::<u64>().is_ok());
    if is_number && what.contains(':') && !set.double && set.name == "chess960" {
        // Without a set, two numbers are those of double Chess960.
        return Ok(position::parse(&format!("dfrc:{what}"), CastlingRules::Fischer)?);
    }
    if is_number {
        return numbered(set, set.parse(what)?);
    }
    let board = position::parse(what, set.castling.rules())?;
    match startpos::start_numbers(&board) {
        Some(_) => Ok(board),
        None => Err(StartposError::NotAStart(what.to_owned())),
    }
}

/// Draws a set-up and tells each step.
fn by_hand(method: Method, rolls: &[String]) -> Result<Board, StartposError> {
    let rolls = if rolls.is_empty() {
        Rolls::Thrown(Random::from_entropy())
    } else {
        Rolls::Given(Vec::from(rolls).into_iter())
    };
    let drawn = methods::draw(method, rolls)?;
    eprint_line(method.description());
    for step in &drawn.steps {
        eprint_line(&format!("  {step}"));
    }
    eprint_line(method.warning().unwrap_or_default());
    Ok(startpos::board_from_back_ranks(
        &drawn.rank,
        &drawn.rank,
        StartCastling::Rules(CastlingRules::Fischer),
    ))
}

fn show(board: &Board, arguments: &Arguments) -> Result<(), OutputError> {
    if let Some(style) = arguments.fen {
        return print_line(&board.fen(style));
    }
    print_line(&arguments.board.draw(board))?;
    if arguments.board == BoardStyle::Svg {
        return Ok(());
    }
    let Some((white, black)) = startpos::start_numbers(board) else { return Ok(()) };
    let rank = |number| {
        startpos::back_rank(number).map_or_else(String::new, |rank| startpos::back_rank_letters(&rank))
    };
    print_line(&format!("\nNumber    {}", startpos::name_of(white, black)))?;
    if let Some(index) = arguments.set.index_of((white, black)).filter(|_| arguments.set.name != "chess960") {
        print_line(&format!("In the set  {}:{index}, of {}", arguments.set.name, arguments.set.count()))?;
    }
    print_line(&format!("White     {}", rank(white)))?;
    print_line(&format!("Black     {}", rank(black)))?;
    print_line(&format!("X-FEN     {}", board.fen(FenStyle::XFen)))?;
    print_line(&format!("Shredder  {}", board.fen(FenStyle::Shredder)))
}

fn print_all(set: &'static StartSet, style: FenStyle) -> Result<(), StartposError> {
    // In pieces, so that the millions of the double sets are neither slow nor all in memory.
    const CHUNK: usize = 4096;
    let ranks = set.ranks();
    let pairs: Box<dyn Iterator<Item = (u32, u32)>> = if set.double {
        Box::new(ranks.iter().flat_map(|&white| ranks.iter().map(move |&black| (white, black))))
    } else {
        Box::new(ranks.iter().map(|&number| (number, number)))
    };
    let mut lines = Vec::with_capacity(CHUNK);
    for (white, black) in pairs {
        if let Some((white, black)) = startpos::back_rank(white).zip(startpos::back_rank(black)) {
            lines.push(startpos::board_from_back_ranks(&white, &black, set.castling).fen(style));
        }
        if lines.len() == CHUNK {
            print_line(&lines.join("\n"))?;
            lines.clear();
        }
    }
    if !lines.is_empty() {
        print_line(&lines.join("\n"))?;
    }
    Ok(())
}

fn list_sets() -> Result<(), OutputError> {
    for set in &START_SETS {
        print_line(&format!("{:<18} {:>10}  {}", set.name, set.count(), set.description))?;
    }
    Ok(())
}
