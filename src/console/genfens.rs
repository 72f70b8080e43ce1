//! `genfens N seed S book FILE`: openings for test farms and self-play, random but balanced.

use std::path::PathBuf;

use thiserror::Error;

use crate::chess::random::Random;
use crate::chess::startpos::opening;
use crate::chess::{Board, CastlingRules, FenError, FenStyle};
use crate::console::{OutputError, say};
use crate::engine::{Engine, EngineError};
use crate::search::limits::Limits;
use crate::search::report::Silent;

/// Of a hundred openings without a book so many are of double Chess960, the others orthodox.
const DOUBLE_PERCENT: u64 = 75;
/// Random plies, and as many more as chance decides.
const MIN_PLIES: u64 = 8;
const MORE_PLIES: u64 = 2;
/// Openings that one side already wins, by so many centipawns, are thrown away.
const MAX_SCORE: i32 = 500;
/// Openings tried for each one printed; of usual books every second one is good.
const MAX_TRIES: usize = 500;
/// Nodes spent on finding that out.
const CHECK_NODES: u64 = 2_000;

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    count: usize,
    seed: u64,
    book: Option<PathBuf>,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum GenfensError {
    /// Not understood.
    #[error("genfens: expected 'genfens N seed S book FILE' with None for no book, found '{0}'")]
    Syntax(String),
    /// The book cannot be read.
    #[error("genfens: {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A line of the book is wrong.
    #[error("genfens: {}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        reason: FenError,
    },
    /// The book has no positions.
    #[error("genfens: {}: no positions", .0.display())]
    Empty(PathBuf),
    /// Nothing comes of it.
    #[error("genfens: none of {tries} openings from {origin} was balanced; are its games over?")]
    Unbalanced {
        /// Openings tried.
        tries: usize,
        /// Where they begin.
        origin: String,
    },
    /// The engine cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl Request {
    /// Where the openings begin.
    fn origin(&self) -> String {
        self.book.as_ref().map_or_else(|| "start positions".to_owned(), |book| book.display().to_string())
    }

    /// Reads the words after `genfens`. More words at the end are for other engines and skipped.
    ///
    /// # Errors
    /// When the words are others.
    pub fn parse(words: &[&str]) -> Result<Self, GenfensError> {
        let error = || GenfensError::Syntax(words.join(" "));
        let &[count, "seed", seed, "book", book, ..] = words else { return Err(error()) };
        Ok(Self {
            count: count.parse().map_err(|_| error())?,
            seed: seed.parse().map_err(|_| error())?,
            book: (!book.eq_ignore_ascii_case("none")).then(|| PathBuf::from(book)),
        })
    }
}

/// Prints the openings, each as `info string genfens FEN`.
///
/// # Errors
/// When the book cannot be used or the engine not started.
pub fn run(request: &Request) -> Result<(), GenfensError> {
    let book = request.book.as_ref().map(read_book).transpose()?;
    let mut random = Random::new(request.seed);
    let mut engine = Engine::new()?;
    for _ in 0..request.count {
        let mut tries = 0;
        let board = loop {
            if tries == MAX_TRIES {
                return Err(GenfensError::Unbalanced { tries, origin: request.origin() });
            }
            tries += 1;
            let start = match &book {
                Some(positions) => positions[random.below(positions.len() as u64) as usize].clone(),
                None => opening::random_start(&mut random, DOUBLE_PERCENT),
            };
            let plies = MIN_PLIES + random.below(MORE_PLIES);
            if let Some(board) = opening::play_random(start, plies, &mut random)
                .filter(|board| is_balanced(&mut engine, board))
            {
                break board;
            }
        };
        say(&format!("info string genfens {}", board.fen(FenStyle::Shredder)))?;
    }
    Ok(())
}

fn read_book(path: &PathBuf) -> Result<Vec<Board>, GenfensError> {
    let text =
        std::fs::read_to_string(path).map_err(|reason| GenfensError::Read { path: path.clone(), reason })?;
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // EPD operations may follow the first four fields.
        let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
        let board = Board::from_fen(&fields.join(" "), CastlingRules::Fischer)
            .map_err(|reason| GenfensError::Line { path: path.clone(), line: index + 1, reason })?;
        positions.push(board);
    }
    if positions.is_empty() { Err(GenfensError::Empty(path.clone())) } else { Ok(positions) }
}

fn is_balanced(engine: &mut Engine, board: &Board) -> bool {
    engine.new_game();
    engine.set_board(board.clone());
    engine.search(Limits::nodes(CHECK_NODES), Box::new(Silent)).score.abs() <= MAX_SCORE
}
