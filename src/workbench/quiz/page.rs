//! The page of a castling quiz.

use serde::Serialize;
use serde_json::json;

use crate::chess::{Board, CastlingSide, Color, FenStyle};
use crate::util::version::GENERATOR;
use crate::workbench::{explain, page};

const TEMPLATE: &str = include_str!("page.html");

/// A question, and what is to be said of it.
#[derive(Serialize)]
pub struct Question {
    fen: String,
    /// Seen from Black's side.
    turned: bool,
    ask: String,
    /// Where king and rook stand.
    pieces: [String; 2],
    /// What must be empty or safe.
    needs: Vec<String>,
    /// Whether it can be played.
    pub can: bool,
    /// What it asks for, and what keeps it from being played.
    pub why: String,
}

impl Question {
    /// Whether the side to move can castle on `side`, to which it has the right.
    pub fn new(board: &Board, side: CastlingSide) -> Self {
        let us = board.side_to_move();
        let Some(path) = board.castling(us, side) else { unreachable!("only rights are asked about") };
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

/// The page that asks these questions.
pub fn html(questions: &[Question]) -> String {
    page::fill(TEMPLATE, &json!({ "made": GENERATOR, "questions": questions }))
}

/// `true` when a file that begins like this is such a page.
pub fn is_beginning(bytes: &[u8]) -> bool {
    page::is_beginning(TEMPLATE, bytes)
}
