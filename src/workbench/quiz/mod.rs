//! `enroque quiz`: a page that asks which castlings can be played, and explains what was wrong.

mod page;

use std::path::PathBuf;

use thiserror::Error;

use self::page::Question;
use crate::chess::board::BoardBuilder;
use crate::chess::movegen::obstacles::CastlingObstacle;
use crate::chess::square::{File, Rank};
use crate::chess::{Board, CastlingRules, CastlingSide, Color, Piece, PieceKind, Square, startpos};
use crate::terminal::eprint_line;
use crate::util::files;
use crate::util::random::Random;

/// Write a page that asks which castlings of Chess960 can be played
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The page is one file for the browser that needs nothing else. Each answer is explained. The seed is told, and the same
seed and count ask the same questions.

Examples:
  enroque quiz castling.html
  enroque quiz club-evening.html --count 20 --seed 960")]
pub struct Arguments {
    /// Page to write
    #[arg(value_name = "FILE.html")]
    output: PathBuf,
    /// Number of questions
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    count: u64,
    /// Seed of the questions; drawn by chance when left out
    #[arg(long)]
    seed: Option<u64>,
}

/// Why there is no page.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct QuizError {
    path: PathBuf,
    reason: std::io::Error,
}

/// Runs the command.
///
/// # Errors
/// When the page cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), QuizError> {
    let at = |reason| QuizError { path: arguments.output.clone(), reason };
    files::ensure_overwritable(&arguments.output, page::is_beginning).map_err(at)?;
    let seed = arguments.seed.unwrap_or_else(|| Random::from_entropy().below(1_000_000));
    let questions = questions(arguments.count as usize, &mut Random::new(seed));
    files::replace(&arguments.output, page::html(&questions).as_bytes()).map_err(at)?;
    eprint_line(&format!("{}: {} questions, seed {seed}", arguments.output.display(), questions.len()));
    Ok(())
}

/// What a question is about: the first thing that keeps the castling from being played, if any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Possible,
    InCheck,
    Blocked,
    /// The king would pass an attacked square.
    Passes,
    /// It would land on one.
    Lands,
    Uncovered,
}

/// Of a hundred questions so many are of each kind; the rest can be played.
const SHARES: [(Kind, usize); 5] =
    [(Kind::InCheck, 6), (Kind::Blocked, 12), (Kind::Passes, 14), (Kind::Lands, 12), (Kind::Uncovered, 12)];

/// More things in the way than this make a question too easy.
const MAX_OBSTACLES: usize = 2;

/// So many questions, each of a position of its own, in random order.
fn questions(count: usize, random: &mut Random) -> Vec<Question> {
    let mut wanted: Vec<Kind> =
        SHARES.iter().flat_map(|&(kind, share)| std::iter::repeat_n(kind, count * share / 100)).collect();
    wanted.resize(count, Kind::Possible);
    let mut questions = Vec::with_capacity(count);
    while !wanted.is_empty() {
        let Some(board) = composed(random) else { continue };
        let us = board.side_to_move();
        let side = if random.below(2) == 0 { CastlingSide::A } else { CastlingSide::H };
        let Some(path) = board.castling(us, side) else { continue };
        let obstacles = board.castling_obstacles(us, path);
        let kind = match obstacles.first() {
            None => Kind::Possible,
            Some(CastlingObstacle::InCheck(_) | CastlingObstacle::NotToMove) => Kind::InCheck,
            Some(CastlingObstacle::Blocked(_)) => Kind::Blocked,
            Some(&CastlingObstacle::Attacked(square, _)) if square == path.king_to => Kind::Lands,
            Some(CastlingObstacle::Attacked(..)) => Kind::Passes,
            Some(CastlingObstacle::Uncovered(_)) => Kind::Uncovered,
        };
        if obstacles.len() <= MAX_OBSTACLES
            && let Some(found) = wanted.iter().position(|&each| each == kind)
        {
            wanted.swap_remove(found);
            let at = random.below(questions.len() as u64 + 1) as usize;
            questions.insert(at, Question::new(&board, side));
        }
    }
    questions
}

/// What becomes of a piece of the start position, of a hundred: it stays, it stands anywhere, or else it is gone.
struct Fate {
    stays: u64,
    wanders: u64,
}

/// The side that is asked has room to castle, the other is about.
const OWN_PIECES: Fate = Fate { stays: 35, wanders: 20 };
const OTHER_PIECES: Fate = Fate { stays: 25, wanders: 50 };
const PAWNS: Fate = Fate { stays: 55, wanders: 25 };

/// A position made from a double Chess960 start by taking pieces away and putting some elsewhere; `None` where that makes
/// no legal one.
fn composed(random: &mut Random) -> Option<Board> {
    let mut number = || startpos::back_rank(random.below(960) as u32);
    let ranks = [number()?, number()?];
    let us = if random.below(2) == 0 { Color::White } else { Color::Black };
    let mut builder = BoardBuilder::new(CastlingRules::Fischer).side_to_move(us);
    let mut wandering = Vec::new();
    for color in Color::ALL {
        let home = Rank::First.relative_to(color);
        let rank = ranks[color.index()];
        let mut rooks = CastlingSide::ALL.into_iter();
        for (file, kind) in File::ALL.into_iter().zip(rank) {
            let (square, piece) = (Square::new(file, home), Piece::new(color, kind));
            let right = if kind == PieceKind::Rook { rooks.next() } else { None };
            let fate = if color == us { OWN_PIECES } else { OTHER_PIECES };
            let chance = random.below(100);
            if kind == PieceKind::King || color == us && right.is_some() {
                builder = builder.piece(square, piece);
                if let Some(side) = right {
                    builder = builder.castling(color, side, square);
                }
            } else if chance < fate.stays {
                builder = builder.piece(square, piece);
            } else if chance < fate.stays + fate.wanders {
                wandering.push((piece, square));
            }
            let chance = random.below(100);
            let steps = if chance < PAWNS.stays { 1 } else { 2 + random.below(3) };
            if chance < PAWNS.stays + PAWNS.wanders {
                let target = (0..steps).fold(square, |square, _| square.forward(color));
                builder = builder.piece(target, Piece::new(color, PieceKind::Pawn));
            }
        }
    }
    let shade = |square: Square| (square.file().index() + square.rank().index()) % 2;
    for (piece, origin) in wandering {
        let square = Square::from_index(random.below(64) as usize);
        let is_free = Color::ALL
            .into_iter()
            .all(|color| PieceKind::ALL.into_iter().all(|kind| !builder.pieces(color, kind).has(square)));
        // A bishop keeps to its colour.
        let is_reached = piece.kind() != PieceKind::Bishop || shade(square) == shade(origin);
        if is_free && is_reached {
            builder = builder.piece(square, piece);
        }
    }
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_asked_about_as_often_as_it_shall_be() {
        let questions = questions(100, &mut Random::new(3));
        assert_eq!(questions.len(), 100);
        assert_eq!(questions.iter().filter(|question| question.can).count(), 44);
        let about = |text: &str| questions.iter().filter(|question| question.why.contains(text)).count();
        assert!(about("With the rook gone") >= 12 && about("would pass") >= 14 && about("would land") >= 12);
        assert!(about("in the way") >= 12 && about("in check from") >= 6);
    }
}
