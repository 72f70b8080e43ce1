//! Page of the castling quiz for the browser.

use serde::Serialize;
use serde_json::json;

use crate::chess::castling::CastlingPath;
use crate::chess::movegen::obstacles::CastlingObstacle;
use crate::chess::{Bitboard, Board, CastlingSide, Color, FenStyle, Square};
use crate::util::version::GENERATOR;
use crate::workbench::{explain, page};

const TEMPLATE: &str = include_str!("page.html");

/// Question of the quiz with its answer.
#[derive(Serialize)]
pub struct Question {
    fen: String,
    /// Board shown from Black's side.
    turned: bool,
    ask: String,
    /// Squares of king and rook.
    pieces: [String; 2],
    /// Squares that must be empty or not attacked.
    needs: Vec<String>,
    /// `true` if the castling is legal.
    pub can: bool,
    /// Explanation of the answer.
    pub why: String,
    /// Grade of difficulty, from 1 to [`MAX_GRADE`].
    pub grade: u32,
}

impl Question {
    /// Creates the question for the castling right of the side to move on `side`.
    pub fn new(board: &Board, side: CastlingSide) -> Self {
        let us = board.side_to_move();
        let Some(path) = board.castling(us, side) else { unreachable!("questions need a castling right") };
        let needs = path.must_be_empty | path.must_be_safe;
        Self {
            fen: board.fen(FenStyle::XFen),
            turned: us == Color::Black,
            ask: format!(
                "{} to move. Neither the king on {} nor the rook on {} has moved: can they castle?",
                explain::color_name(us),
                path.king_from,
                path.rook_from
            ),
            pieces: [path.king_from, path.rook_from].map(|square| square.to_string()),
            needs: needs.into_iter().map(|square| square.to_string()).collect(),
            can: board.castling_obstacles(us, path).is_empty(),
            why: explain::castling(board, us, side),
            grade: grade(board, path),
        }
    }
}

/// Greatest grade of difficulty.
pub const MAX_GRADE: u32 = 4;

/// Returns the difficulty of a castling:
///
/// 1. an ordinary legal castling, a check, or a piece between king and rook;
/// 2. an attacked square on the king's path;
/// 3. a piece in the way outside of king and rook; a legal castling that looks illegal, because one piece stays, both swap,
///    or the rook or its path is attacked;
/// 4. an attack that only the rook's departure uncovers.
fn grade(board: &Board, path: &CastlingPath) -> u32 {
    let us = board.side_to_move();
    let obstacles = board.castling_obstacles(us, path);
    let (begin, end) = (path.king_from.min(path.rook_from), path.king_from.max(path.rook_from));
    let is_outside = |square: Square| square < begin || square > end;
    let swaps = path.king_to == path.rook_from && path.rook_to == path.king_from;
    let stays = path.king_from == path.king_to || path.rook_from == path.rook_to;
    let rook_squares = (path.must_be_empty | Bitboard::of(path.rook_from)) & !path.must_be_safe;
    let looks_illegal = || swaps || stays || board.threats_by(!us).any.intersects(rook_squares);
    let grades = obstacles.iter().map(|obstacle| match *obstacle {
        CastlingObstacle::Uncovered(_) => 4,
        CastlingObstacle::Blocked(square) if is_outside(square) => 3,
        CastlingObstacle::Attacked(..) => 2,
        _ => 1,
    });
    grades.max().unwrap_or_else(|| if looks_illegal() { 3 } else { 1 })
}

/// Returns the page with these questions.
pub fn html(questions: &[Question]) -> String {
    page::fill(TEMPLATE, &json!({ "made": GENERATOR, "grades": MAX_GRADE, "questions": questions }))
}

/// `true` if `bytes` are the beginning of a quiz page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
