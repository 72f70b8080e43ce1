//! Enroque: a UCI chess engine for which Chess960 is the normal case and the orthodox start is position 518.
//!
//! The library has the rules of chess, Chess960 and double Chess960 ([`chess`]), an alpha-beta search with a neural
//! network ([`search`], [`nnue`]) and both behind one interface ([`engine`]):
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
//! The modules in the order of their layers; each uses only those before it:
//!
//! - [`chess`]: board, moves, notation, start positions
//! - [`nnue`], [`tablebase`]: static evaluation and Syzygy tablebases
//! - [`search`]: alpha-beta search, transposition table, histories, time management
//! - [`engine`]: position, options and threads behind one interface
//! - [`terminal`], [`runs`]: text output, and long runs that can be resumed
//! - [`study`]: games in PGN, castlings and start positions in words
//! - [`commands`]: commands shared by the UCI loop and the command line
//! - [`uci`]: the UCI protocol
//! - [`learn`]: self-play, game files, matches, the trainer
//!
//! `learn`, `runs`, the command line, tablebases and perft on several threads need the default feature `tools`. Without it
//! the library compiles for any target of Rust's standard library, without a C compiler. For WebAssembly the host supplies
//! clock, output and random numbers.

pub mod chess;
#[cfg(feature = "tools")]
#[doc(hidden)]
pub mod cli;
pub mod commands;
pub mod engine;
#[cfg(feature = "tools")]
pub mod learn;
pub mod nnue;
#[cfg(feature = "tools")]
pub mod runs;
pub mod search;
pub mod study;
pub mod tablebase;
pub mod terminal;
pub mod uci;
#[doc(hidden)]
pub mod util;
#[cfg(feature = "tools")]
#[doc(hidden)]
pub mod workbench;

pub use chess::{Board, Move};
pub use engine::Engine;
pub use search::limits::Limits;
