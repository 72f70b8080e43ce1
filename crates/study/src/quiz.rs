//! Quiz questions that ask whether a castling is legal, with explained answers.

use serde::Serialize;

use super::castling::{castling, color_name, square_names};
use enroque::chess::board::BoardBuilder;
use enroque::chess::movegen::obstacles::CastlingObstacle;
use enroque::chess::startpos;
use enroque::chess::{
    Bitboard, Board, CastlingPath, CastlingRules, CastlingSide, Color, FenStyle, File, Piece, PieceKind,
    Rank, Square,
};
use enroque::util::random::Random;

/// A question and its answer. The quiz page reads them as JSON.
#[derive(Serialize)]
pub struct Question {
    fen: String,
    /// Whether the page shows the board from Black's side.
    turned: bool,
    ask: String,
    /// The squares of the king and of the rook that would castle.
    pieces: [String; 2],
    /// Squares that must be empty, or not attacked, or both, so that the castling is legal.
    needs: Vec<String>,
    /// Whether the castling is legal.
    pub can: bool,
    /// The explanation that [`castling`] gives.
    pub why: String,
    /// How difficult the question is, from 1 to [`MAX_GRADE`].
    pub grade: u32,
}

impl Question {
    /// Asks whether the side to move, which must have the castling right, can castle on `side`.
    pub fn new(board: &Board, side: CastlingSide) -> Self {
        let us = board.side_to_move();
        let Some(path) = board.castling(us, side) else { unreachable!("questions need a castling right") };
        let needs = path.must_be_empty | path.must_be_safe;
        Self {
            fen: board.fen(FenStyle::XFen),
            turned: us == Color::Black,
            ask: format!(
                "{} to move. Neither the king on {} nor the rook on {} has moved: can they castle?",
                color_name(us),
                path.king_from,
                path.rook_from
            ),
            pieces: [path.king_from, path.rook_from].map(|square| square.to_string()),
            needs: square_names(needs),
            can: board.castling_obstacles(us, path).is_empty(),
            why: castling(board, us, side),
            grade: grade(board, path),
        }
    }
}

/// The grade of the most difficult questions; the easiest questions have grade 1.
pub const MAX_GRADE: u32 = 4;

/// Returns how difficult it is to see whether this castling is legal:
///
/// 1. an ordinary legal castling, a check, or a piece between king and rook;
/// 2. an attacked square on the king's path;
/// 3. a piece in the way that is not between king and rook, or a legal castling that looks illegal, because the king
///    or the rook stays, they swap squares, or the rook or its path is attacked;
/// 4. an attack that only the rook's departure uncovers.
fn grade(board: &Board, path: &CastlingPath) -> u32 {
    let us = board.side_to_move();
    let obstacles = board.castling_obstacles(us, path);
    let (begin, end) = (path.king_from.min(path.rook_from), path.king_from.max(path.rook_from));
    let is_outside = |square: Square| square < begin || square > end;
    let swaps = path.king_to == path.rook_from && path.rook_to == path.king_from;
    let stays = path.king_from == path.king_to || path.rook_from == path.rook_to;
    let rook_squares = (path.must_be_empty | Bitboard::of(path.rook_from)) & !path.must_be_safe;
    let looks_illegal =
        || swaps || stays || board.threats_by(!us).to(PieceKind::King).intersects(rook_squares);
    let grades = obstacles.iter().map(|obstacle| match *obstacle {
        CastlingObstacle::Uncovered(_) => 4,
        CastlingObstacle::Blocked(square) if is_outside(square) => 3,
        CastlingObstacle::Attacked(..) => 2,
        _ => 1,
    });
    grades.max().unwrap_or_else(|| if looks_illegal() { 3 } else { 1 })
}

/// On each line, the castling side (`a` or `h`) and the FEN of a position. We chose positions that other programs got
/// wrong, and some from our perft suite.
const GRADED: &str = include_str!("graded.txt");

/// Returns the questions on our selected positions, the easiest first.
pub fn graded_questions() -> Vec<Question> {
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

/// What a question is about: the first obstacle to the castling, or that there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Legal,
    InCheck,
    Blocked,
    /// The king would pass an attacked square.
    Passes,
    /// The king would land on an attacked square.
    Lands,
    Uncovered,
}

/// How many questions of each kind we ask, in per cent; in the rest the castling is legal.
const SHARES: [(Kind, usize); 5] =
    [(Kind::InCheck, 6), (Kind::Blocked, 12), (Kind::Passes, 14), (Kind::Lands, 12), (Kind::Uncovered, 12)];

/// The most reasons against castling in one question. With more, it is too easy to find one.
const MAX_OBSTACLES: usize = 2;

/// Returns `count` questions on random positions, in random order. Each kind of obstacle has a fixed share.
pub fn questions(count: usize, random: &mut Random) -> Vec<Question> {
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

/// Chances, in per cent, that a piece of a random question stays on its start square or moves; else we remove it.
struct Fate {
    stays: u64,
    moves: u64,
}

/// We keep few pieces of the player who castles, to leave room for castling.
const OWN_PIECES: Fate = Fate { stays: 35, moves: 20 };
/// Many of the opponent's pieces move, so that some attack squares that the king must pass.
const OTHER_PIECES: Fate = Fate { stays: 25, moves: 50 };
const PAWNS: Fate = Fate { stays: 55, moves: 25 };
const SQUARES: u64 = 64;
const PERCENT: u64 = 100;

/// Moves and removes pieces of a random double Chess960 start; `None` if the result is illegal.
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
        // A bishop must stay on squares of its colour.
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
        for grade in 1..=MAX_GRADE {
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
