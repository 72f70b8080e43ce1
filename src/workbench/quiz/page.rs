//! Page of the castling quiz for the browser.

use serde::Serialize;
use serde_json::json;

use crate::chess::{Board, CastlingSide, Color, FenStyle};
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
        }
    }
}

/// Returns the page with these questions.
pub fn html(questions: &[Question]) -> String {
    page::fill(TEMPLATE, &json!({ "made": GENERATOR, "questions": questions }))
}

/// `true` if `bytes` are the beginning of a quiz page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
