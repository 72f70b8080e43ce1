//! Enroque: a UCI chess engine for which Chess960 is the normal case and the orthodox start is position 518.
//!
//! The modules in the order of their layers; each uses only those before it:
//!
//! - [`chess`]: the rules of the game
//! - [`nnue`], [`tablebase`]: the evaluation of a position, and what is known of endgames
//! - [`search`]: alpha-beta, its table, histories and time
//! - [`engine`]: position, options and threads behind one interface
//! - [`uci`], [`tools`] and [`learn`]: the protocol, the commands of the command line, and self-play with its
//!   files and trainer; they use each other

pub mod chess;
pub mod engine;
pub mod learn;
pub mod nnue;
pub mod search;
pub mod tablebase;
pub mod tools;
pub mod uci;
