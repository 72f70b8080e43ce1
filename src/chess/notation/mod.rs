//! Notation of positions and moves: FEN and its dialects, standard algebraic notation, and UCI coordinates.

pub mod fen;
pub mod san;
pub mod uci_move;

pub use fen::{FenError, FenStyle};
pub use san::SanError;
pub use uci_move::CastlingNotation;

/// Shortens a text from outside for error messages and replaces its control characters.
pub fn shortened(text: &str) -> String {
    const LENGTH: usize = 60;
    let clean: String = text.chars().take(LENGTH).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(LENGTH).is_some() { format!("{clean}…") } else { clean }
}
