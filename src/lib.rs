//! Enroque: a UCI chess engine for which Chess960 is the normal case and the orthodox start is position 518.
//!
//! The library offers the rules of chess, Chess960 and double Chess960 ([`chess`]), an alpha-beta search with a neural
//! network ([`search`], [`nnue`]), and one interface to both ([`engine`]):
//!
//! ```
//! use enroque::chess::{Board, CastlingNotation};
//! use enroque::search::report::Silent;
//! use enroque::{Engine, Limits};
//!
//! // White mates by castling: the king takes its own rook and lands on c1, the rook on d1.
//! let board: Board = "3k4/8/4Q3/1N6/8/8/P7/RK6 w A - 0 1".parse()?;
//! let mut engine = Engine::new()?;
//! engine.set_board(board.clone());
//! let outcome = engine.search(Limits::depth(4), Box::new(Silent));
//! let best = outcome.best_move.expect("White has legal moves");
//! assert_eq!(board.format_move(best, CastlingNotation::KingTakesRook), "b1a1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules form layers, and each uses only those listed before it:
//!
//! - [`simd`]: vector instructions
//! - [`chess`]: board, moves, notation, start positions
//! - [`nnue`], [`tablebase`]: static evaluation and Syzygy tablebases
//! - [`search`]: alpha-beta search, transposition table, histories, time management
//! - [`engine`]: position, options and threads behind one interface
//! - [`terminal`]: text output
//! - `commands`: what the engine can do besides playing: bench, perft, speedtest, eval, genfens
//! - [`uci`]: the UCI protocol
//!
//! The packages in `crates` read PGN, comment on games and train networks; the library does none of that. To follow one
//! `go` through the code, start at [`uci`]. In WebAssembly the host supplies the clock, output and random numbers, and
//! there are no threads and no tablebases.

pub mod chess;
mod commands;
pub mod engine;
pub mod nnue;
pub mod search;
pub mod simd;
pub mod tablebase;
pub mod terminal;
pub mod uci;
#[doc(hidden)]
pub mod util;

pub use chess::{Board, Move};
pub use engine::Engine;
pub use search::limits::Limits;
