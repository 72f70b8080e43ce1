//! `enroque quiz`: a page of questions on the legality of castlings, with explained answers.

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

/// Largest number of questions.
const MAX_COUNT: u64 = 10_000;

/// Upper limit of random seeds, short enough to write down.
const SEED_LIMIT: u64 = 1_000_000;

/// Write a quiz on Chess960 castling as a page for the browser
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The page is a single file without external resources. It explains each answer, ends with the result and the wrong answers, and \
prints as a sheet of questions with the answers at the end. The command prints the seed; the same seed and count give the same \
questions.

Examples:
  enroque quiz castling.html
  enroque quiz club-evening.html --count 20 --seed 960
  enroque quiz course.html --graded")]
pub struct Arguments {
    /// Page to write
    #[arg(value_name = "FILE.html")]
    output: PathBuf,
    /// Number of questions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=MAX_COUNT))]
    count: u64,
    /// Seed of the questions; default: random
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Ask fifty selected positions in four grades, the easiest first
    #[arg(long, conflicts_with_all = ["count", "seed"])]
    graded: bool,
}

/// Selected positions: the castling side (`a` or `h`) and the FEN of each, from positions on which programs were found wrong and
/// from the perft suite of this project.
const GRADED: &str = include_str!("graded.txt");

/// Returns the questions on the selected positions, the easiest first.
fn graded_questions() -> Vec<Question> {
    let question = |line: &str| {
        let (side, fen) = line.split_once(' ')?;
        let side = if side == "a" { CastlingSide::A } else { CastlingSide::H };
        let board = Board::from_fen(fen, CastlingRules::Fischer).ok()?;
        board.castling(board.side_to_move(), side)?;
        Some(Question::new(&board, side))
    };
    let mut questions: Vec<Question> = GRADED.lines().filter_map(question).collect();
    questions.sort_by_key(|question| question.grade);
    questions
}

/// Page that cannot be written.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct QuizError {
    path: PathBuf,
    reason: std::io::Error,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the page cannot be written or would replace another file.
pub fn run(arguments: &Arguments) -> Result<(), QuizError> {
    let at = |reason| QuizError { path: arguments.output.clone(), reason };
    files::ensure_overwritable(&arguments.output, page::is_beginning).map_err(at)?;
    let seed = arguments.seed.unwrap_or_else(|| Random::from_entropy().below(SEED_LIMIT));
    let (questions, origin) = if arguments.graded {
        (graded_questions(), "graded".to_owned())
    } else {
        (questions(arguments.count as usize, &mut Random::new(seed)), format!("seed {seed}"))
    };
    files::replace(&arguments.output, page::html(&questions).as_bytes()).map_err(at)?;
    eprint_line(&format!("{}: {} questions, {origin}", arguments.output.display(), questions.len()));
    Ok(())
}

/// Kind of a question: the first obstacle of its castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Legal,
    InCheck,
    Blocked,
    /// Attacked square on the king's path.
    Passes,
    /// Attacked square at the end of the king's path.
    Lands,
    Uncovered,
}

/// Percentage of each kind; the rest is legal.
const SHARES: [(Kind, usize); 5] =
    [(Kind::InCheck, 6), (Kind::Blocked, 12), (Kind::Passes, 14), (Kind::Lands, 12), (Kind::Uncovered, 12)];

/// Largest number of obstacles; more make a question too easy.
const MAX_OBSTACLES: usize = 2;

/// Returns questions on different random positions, in random order.
fn questions(count: usize, random: &mut Random) -> Vec<Question> {
    let mut wanted: Vec<Kind> = SHARES
        .iter()
        .flat_map(|&(kind, share)| std::iter::repeat_n(kind, count * share / PERCENT as usize))
        .collect();
    wanted.resize(count, Kind::Legal);
    let mut questions = Vec::with_capacity(count);
    while !wanted.is_empty() {
        let Some(board) = random_position(random) else { continue };
        let us = board.side_to_move();
        let side = CastlingSide::ALL[random.below(2) as usize];
        let Some(path) = board.castling(us, side) else { continue };
        let obstacles = board.castling_obstacles(us, path);
        let kind = match obstacles.first() {
            None => Kind::Legal,
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

/// Percentages of the pieces that stay on their start squares and that move elsewhere; the rest is removed.
struct Fate {
    stays: u64,
    moves: u64,
}

/// Fate of the castling side's pieces: few, to leave room for castling.
const OWN_PIECES: Fate = Fate { stays: 35, moves: 20 };
/// Fate of the opponent's pieces: many move, to attack the castling squares.
const OTHER_PIECES: Fate = Fate { stays: 25, moves: 50 };
/// Fate of the pawns of both sides.
const PAWNS: Fate = Fate { stays: 55, moves: 25 };
/// Squares of the board.
const SQUARES: u64 = 64;
/// Scale of the percentages.
const PERCENT: u64 = 100;

/// Returns a position made from a double Chess960 start position by moving and removing pieces; `None` if it is illegal.
fn random_position(random: &mut Random) -> Option<Board> {
    let mut rank = || startpos::back_rank(random.below(u64::from(startpos::CHESS960_COUNT)) as u32);
    let ranks = [rank()?, rank()?];
    let us = Color::ALL[random.below(2) as usize];
    let mut builder = BoardBuilder::new(CastlingRules::Fischer).side_to_move(us);
    let mut moving = Vec::new();
    for color in Color::ALL {
        let home = Rank::First.relative_to(color);
        let rank = ranks[color.index()];
        let mut rooks = CastlingSide::ALL.into_iter();
        for (file, kind) in File::ALL.into_iter().zip(rank) {
            let (square, piece) = (Square::new(file, home), Piece::new(color, kind));
            let right = if kind == PieceKind::Rook { rooks.next() } else { None };
            let fate = if color == us { OWN_PIECES } else { OTHER_PIECES };
            let chance = random.below(PERCENT);
            if kind == PieceKind::King || color == us && right.is_some() {
                builder = builder.piece(square, piece);
                if let Some(side) = right {
                    builder = builder.castling(color, side, square);
                }
            } else if chance < fate.stays {
                builder = builder.piece(square, piece);
            } else if chance < fate.stays + fate.moves {
                moving.push((piece, square));
            }
            let chance = random.below(PERCENT);
            let steps = if chance < PAWNS.stays { 1 } else { 2 + random.below(3) };
            if chance < PAWNS.stays + PAWNS.moves {
                let target = (0..steps).fold(square, |square, _| square.forward(color));
                builder = builder.piece(target, Piece::new(color, PieceKind::Pawn));
            }
        }
    }
    let is_light = |square: Square| (square.file().index() + square.rank().index()) % 2 == 1;
    for (piece, origin) in moving {
        let square = Square::from_index(random.below(SQUARES) as usize);
        let is_free = Color::ALL
            .into_iter()
            .all(|color| PieceKind::ALL.into_iter().all(|kind| !builder.pieces(color, kind).has(square)));
        // A bishop stays on its colour.
        let is_reachable = piece.kind() != PieceKind::Bishop || is_light(square) == is_light(origin);
        if is_free && is_reachable {
            builder = builder.piece(square, piece);
        }
    }
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graded_questions_are_complete() {
        let questions = graded_questions();
        assert_eq!((questions.len(), GRADED.lines().count()), (50, 50));
        assert!(questions.is_sorted_by_key(|question| question.grade));
        for grade in 1..=page::MAX_GRADE {
            let same: Vec<_> = questions.iter().filter(|question| question.grade == grade).collect();
            assert!(same.len() >= 8, "grade {grade}: {}", same.len());
        }
        let legal = questions.iter().filter(|question| question.can).count();
        assert!((15..=30).contains(&legal), "{legal} legal");
        assert!(questions.iter().all(|question| question.why.contains("  by hand ")));
    }

    #[test]
    fn question_kinds_match_shares() {
        let questions = questions(100, &mut Random::new(3));
        assert_eq!(questions.len(), 100);
        assert_eq!(questions.iter().filter(|question| question.can).count(), 44);
        let about = |text: &str| questions.iter().filter(|question| question.why.contains(text)).count();
        assert!(about("With the rook gone") >= 12 && about("would pass") >= 14 && about("would land") >= 12);
        assert!(about("in the way") >= 12 && about("in check from") >= 6);
    }
}
