//! `enroque startpos`: start positions by number, by hand, at random, or all of a set; and the number of a
//! position.

use std::hash::{BuildHasher, Hasher, RandomState};

use thiserror::Error;

use super::methods::{self, Method, MethodError, Rolls};
use super::placing::{self, PlacingError};
use crate::chess::random::Random;
use crate::chess::startpos::{self, START_SETS, StartCastling, StartNumber, StartNumberError, StartSet};
use crate::chess::{Board, CastlingRules, FenError, FenStyle};
use crate::console::{OutputError, board, note, say};

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
  enroque startpos --random --set chess324
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
    /// A number of the set, WHITE:BLACK for two Chess960 numbers, or a FEN to be numbered
    #[arg(conflicts_with_all = ["random", "all", "method", "sets", "place"])]
    what: Option<String>,
    /// The set of start positions
    #[arg(long, default_value = "chess960", value_parser = super::start_set)]
    set: &'static StartSet,
    /// One position of the set at random
    #[arg(long)]
    random: bool,
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
    /// Write FENs in this dialect only: x or shredder
    #[arg(long, value_parser = fen_style)]
    fen: Option<FenStyle>,
    /// How the board is drawn; an SVG picture comes alone
    #[arg(long, value_name = "STYLE", default_value = "ascii")]
    board: BoardStyle,
}

fn fen_style(name: &str) -> Result<FenStyle, String> {
    match name {
        "x" => Ok(FenStyle::XFen),
        "shredder" => Ok(FenStyle::Shredder),
        _ => Err("expected x or shredder".to_owned()),
    }
}

/// Why there is no such start position.
#[derive(Debug, Error)]
pub enum StartposError {
    /// Not a number of the set.
    #[error("set {set}: expected a number from 0 to {most}, found '{found}'")]
    Number {
        /// Its name.
        set: &'static str,
        /// Its last number.
        most: u64,
        /// What was given.
        found: String,
    },
    /// Not two numbers of Chess960.
    #[error(transparent)]
    Pair(#[from] StartNumberError),
    /// Not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
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
        position(set, random_below(set.count()))?
    } else {
        named(set, arguments.what.as_deref().unwrap_or("518"), arguments.what.is_none())?
    };
    Ok(show(&board, arguments)?)
}

fn position(set: &'static StartSet, number: u64) -> Result<Board, StartposError> {
    set.position(number).ok_or_else(|| number_error(set, &number.to_string()))
}

fn number_error(set: &'static StartSet, found: &str) -> StartposError {
    StartposError::Number { set: set.name, most: set.count() - 1, found: found.to_owned() }
}

fn named(set: &'static StartSet, what: &str, is_default: bool) -> Result<Board, StartposError> {
    if is_default && set.count() <= u64::from(startpos::ORTHODOX) {
        return position(set, 0);
    }
    if what.contains('/') {
        let board = Board::from_fen(what, set.castling.rules())?;
        return match startpos::identify(&board) {
            Some(_) => Ok(board),
            None => Err(StartposError::NotAStart(what.to_owned())),
        };
    }
    if what.contains(':') {
        return Ok(StartNumber::double(what)?.board());
    }
    position(set, what.parse().map_err(|_| number_error(set, what))?)
}

/// Draws a set-up and tells each step.
fn by_hand(method: Method, rolls: &[String]) -> Result<Board, StartposError> {
    let rolls = if rolls.is_empty() {
        Rolls::Thrown(Random::new(random_below(u64::MAX)))
    } else {
        Rolls::Given(Vec::from(rolls).into_iter())
    };
    let drawn = methods::draw(method, rolls)?;
    note(method.description());
    for step in &drawn.steps {
        note(&format!("  {step}"));
    }
    note(method.warning().unwrap_or_default());
    Ok(startpos::board_from_back_ranks(
        &drawn.rank,
        &drawn.rank,
        StartCastling::Rules(CastlingRules::Fischer),
    ))
}

fn show(board: &Board, arguments: &Arguments) -> Result<(), OutputError> {
    if let Some(style) = arguments.fen {
        return say(&board.fen(style));
    }
    say(&arguments.board.draw(board))?;
    if arguments.board == BoardStyle::Svg {
        return Ok(());
    }
    let Some((white, black)) = startpos::identify(board) else { return Ok(()) };
    let rank = |number| startpos::back_rank(number).map_or_else(String::new, |rank| startpos::letters(&rank));
    say(&format!("\nNumber    {}", startpos::name_of(white, black)))?;
    say(&format!("White     {}", rank(white)))?;
    say(&format!("Black     {}", rank(black)))?;
    say(&format!("X-FEN     {}", board.fen(FenStyle::XFen)))?;
    say(&format!("Shredder  {}", board.fen(FenStyle::Shredder)))
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
            say(&lines.join("\n"))?;
            lines.clear();
        }
    }
    if !lines.is_empty() {
        say(&lines.join("\n"))?;
    }
    Ok(())
}

fn list_sets() -> Result<(), OutputError> {
    for set in &START_SETS {
        say(&format!("{:<18} {:>10}  {}", set.name, set.count(), set.description))?;
    }
    Ok(())
}

/// A random number below `limit`, from the randomness that hash maps are seeded with.
fn random_below(limit: u64) -> u64 {
    let drawn = RandomState::new().build_hasher().finish();
    ((u128::from(drawn) * u128::from(limit)) >> 64) as u64
}
