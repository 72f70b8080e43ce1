//! Notation of positions and moves: FEN and its dialects, diagrams, what users type for a position, standard algebraic
//! notation, and UCI coordinates.

pub mod diagram;
pub mod false_right;
pub mod fen;
pub mod position;
pub mod san;
pub mod uci_move;

pub use diagram::diagram;
pub use false_right::FalseRight;
pub use fen::{Fen, FenError, FenStyle};
pub use san::SanError;
pub use uci_move::CastlingNotation;
