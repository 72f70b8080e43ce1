//! `genfens N seed S book FILE [VARIANT] [shredder]`: random balanced openings for test farms.

use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::chess::startpos::{self, opening};
use crate::chess::{Board, CastlingRules, FenError, FenStyle};
use crate::engine::Engine;
use crate::search::limits::Limits;
use crate::search::report::Silent;
use crate::terminal::print_line;
use crate::util::random::Random;

/// We play at least this many random plies to make an opening.
const MIN_PLIES: u64 = 8;
/// The number of random plies is [`MIN_PLIES`] plus a random number below this, so either side may be to move.
const PLY_CHOICES: u64 = 2;
/// We discard an opening as unbalanced if its absolute score is greater than this, in centipawns.
const MAX_SCORE: i32 = 500;
/// The command fails after this many unbalanced openings in a row. With usual books, about half are balanced.
const MAX_TRIES: usize = 500;
/// Node limit of the search that tells whether an opening is balanced.
const CHECK_NODES: u64 = 2_000;

/// The positions that the random plies start from.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Origin {
    Orthodox,
    Chess960,
    DoubleChess960,
    /// A file with FEN or EPD lines.
    Book(PathBuf),
}

impl Origin {
    /// Parses the name of a variant, as test farms and match runners spell it.
    fn from_name(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "standard" => Self::Orthodox,
            "chess960" | "fischerandom" | "frc" => Self::Chess960,
            "dfrc" => Self::DoubleChess960,
            _ => return None,
        })
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Orthodox => f.write_str("the orthodox start"),
            Self::Chess960 => f.write_str("Chess960 starts"),
            Self::DoubleChess960 => f.write_str("double Chess960 starts"),
            Self::Book(path) => path.display().fmt(f),
        }
    }
}

#[derive(Debug)]
pub struct Request {
    count: usize,
    seed: u64,
    origin: Origin,
    style: FenStyle,
}

#[derive(Debug, Error)]
pub enum GenfensError {
    #[error(
        "genfens: expected 'genfens N seed S book FILE', or 'book None' and then standard, chess960 or dfrc; a last \
         word shredder asks for Shredder-FEN; found '{0}'"
    )]
    Syntax(String),
    #[error("genfens: {}: {reason}", path.display())]
    Read { path: PathBuf, reason: std::io::Error },
    /// A line of the book is not a valid position. `line` is its number, counted from 1.
    #[error("genfens: {}, line {line}: {reason}", path.display())]
    Line { path: PathBuf, line: usize, reason: FenError },
    #[error("genfens: {}: no positions", .0.display())]
    Empty(PathBuf),
    #[error("genfens: none of {tries} openings from {origin} was balanced; are these games over?")]
    Unbalanced { tries: usize, origin: String },
}

impl Request {
    /// Parses the words after `genfens`.
    pub fn parse(words: &[&str]) -> Result<Self, GenfensError> {
        let error = || GenfensError::Syntax(words.join(" "));
        let &[count, "seed", seed, "book", book, ref more @ ..] = words else { return Err(error()) };
        let (style, more) = match more {
            [more @ .., last] if last.eq_ignore_ascii_case("shredder") => (FenStyle::Shredder, more),
            _ => (FenStyle::XFen, more),
        };
        let origin = match (book.eq_ignore_ascii_case("none"), more) {
            (true, []) => Origin::Orthodox,
            (true, [word]) => Origin::from_name(word).ok_or_else(error)?,
            (false, []) => Origin::Book(PathBuf::from(book)),
            _ => return Err(error()),
        };
        Ok(Self {
            count: count.parse().map_err(|_| error())?,
            seed: seed.parse().map_err(|_| error())?,
            origin,
            style,
        })
    }
}

/// Prints a line `info string genfens FEN` for each opening.
pub fn run(request: &Request) -> Result<(), Box<dyn std::error::Error>> {
    let book = match &request.origin {
        Origin::Book(path) => Some(Book::open(path)?),
        _ => None,
    };
    let mut random = Random::new(request.seed);
    let mut engine = Engine::new()?;
    for _ in 0..request.count {
        let mut tries = 0;
        let board = loop {
            if tries == MAX_TRIES {
                return Err(GenfensError::Unbalanced { tries, origin: request.origin.to_string() }.into());
            }
            tries += 1;
            let start = match &book {
                Some(book) => book.draw(&mut random)?,
                None => random_start(&request.origin, &mut random),
            };
            let plies = MIN_PLIES + random.below(PLY_CHOICES);
            if let Some(board) = opening::play_random(start, plies, &mut random)
                .filter(|board| is_balanced(&mut engine, board))
            {
                break board;
            }
        };
        print_line(&format!("info string genfens {}", board.fen(request.style)))?;
    }
    Ok(())
}

fn random_start(origin: &Origin, random: &mut Random) -> Board {
    let mut number = || random.below(u64::from(startpos::CHESS960_COUNT)) as u32;
    let [white, black] = match origin {
        Origin::Chess960 => [number(); 2],
        Origin::DoubleChess960 => [number(), number()],
        Origin::Orthodox | Origin::Book(_) => [startpos::ORTHODOX; 2],
    };
    startpos::double_chess960(white, black).unwrap_or_else(Board::startpos)
}

/// An opening book: a file with one position a line. It may be large, so we only parse the lines that we draw.
struct Book {
    path: PathBuf,
    bytes: Vec<u8>,
    /// The number (from 1) and byte range of each line that is not blank.
    lines: Vec<(usize, Range<usize>)>,
}

impl Book {
    fn open(path: &Path) -> Result<Self, GenfensError> {
        let bytes =
            std::fs::read(path).map_err(|reason| GenfensError::Read { path: path.to_owned(), reason })?;
        let mut begin = 0;
        let mut lines = Vec::new();
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if !line.trim_ascii().is_empty() {
                lines.push((index + 1, begin..begin + line.len()));
            }
            begin += line.len() + 1;
        }
        if lines.is_empty() {
            return Err(GenfensError::Empty(path.to_owned()));
        }
        Ok(Self { path: path.to_owned(), bytes, lines })
    }

    fn draw(&self, random: &mut Random) -> Result<Board, GenfensError> {
        let (line, place) = self.lines[random.below(self.lines.len() as u64) as usize].clone();
        let text = String::from_utf8_lossy(&self.bytes[place]);
        // The first four fields give the position. We ignore what follows: move counters or EPD operations.
        let fields: Vec<&str> =
            text.trim_start_matches('\u{feff}').split_ascii_whitespace().take(4).collect();
        Board::from_fen(&fields.join(" "), CastlingRules::Fischer).map_err(|reason| GenfensError::Line {
            path: self.path.clone(),
            line,
            reason,
        })
    }
}

fn is_balanced(engine: &mut Engine, board: &Board) -> bool {
    engine.new_game();
    engine.set_board(board.clone());
    engine.search(Limits::nodes(CHECK_NODES), Box::new(Silent)).score.abs() <= MAX_SCORE
}
