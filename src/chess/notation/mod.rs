//! Positions and moves as text: FEN in its dialects, algebraic notation, and the coordinates of UCI.

pub mod fen;
pub mod san;
pub mod uci_move;

pub use fen::{FenError, FenStyle};
pub use san::SanError;
pub use uci_move::CastlingNotation;
