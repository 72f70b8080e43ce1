//! The rules of the game: positions, moves, notation, start positions. No I/O, no threads but perft's, no
//! search.

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod castling;
pub mod coordinate;
pub mod fen;
pub mod legality;
mod magics;
pub mod makemove;
pub mod movegen;
pub mod moves;
pub mod perft;
pub mod piece;
pub mod random;
pub mod repetition;
pub mod san;
pub mod see;
pub mod setup;
pub mod square;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use board::Board;
pub use castling::{CastlingRights, CastlingRules, CastlingSide};
pub use coordinate::CastlingNotation;
pub use fen::{FenError, FenStyle};
pub use movegen::Stage;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Color, Piece, PieceKind};
pub use square::Square;
