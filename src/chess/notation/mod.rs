//! Positions and moves as text: FEN in its dialects, algebraic notation, and the coordinates of UCI.

pub mod fen;
pub mod san;
pub mod uci_move;

pub use fen::{FenError, FenStyle};
pub use san::SanError;
pub use uci_move::CastlingNotation;

/// A text that may have come from anywhere, cut to a length fit to be repeated.
pub fn shortened(text: &str) -> String {
    const LENGTH: usize = 60;
    let clean: String = text.chars().take(LENGTH).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(LENGTH).is_some() { format!("{clean}…") } else { clean }
}
