//! The rules of chess and Chess960: positions, legal moves, notation and start positions. No I/O, no search.
//!
//! ```
//! use enroque::chess::Board;
//!
//! let mut board = Board::default();
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     board.make_move(board.parse_san(san)?);
//! }
//! assert_eq!(board.outcome().unwrap().to_string(), "black wins by checkmate");
//! # Ok::<(), enroque::chess::notation::SanError>(())
//! ```

pub mod attacks;
pub mod bitboard;
pub mod board;
pub mod by;
pub mod castling;
pub mod color;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod piece;
pub mod see;
pub mod square;
pub mod startpos;

pub use bitboard::Bitboard;
pub use board::Board;
pub use by::{ByColor, ByKind, ByPiece, BySide, BySquare};
pub use castling::{CastlingGeometry, CastlingPath, CastlingRights, CastlingRules, CastlingSide};
pub use color::Color;
pub use movegen::GenType;
pub use moves::{Move, MoveKind, MoveList};
pub use notation::{CastlingNotation, FenError, FenStyle, position};
pub use outcome::GameOutcome;
pub use piece::{Piece, PieceKind};
pub use square::{File, Rank, Square};
