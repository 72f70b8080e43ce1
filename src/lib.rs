//! Enroque: a UCI chess engine for which Chess960 is the normal case and the orthodox start is position 518.
//!
//! The modules in the order of their layers; each uses only those before it:
//!
//! - [`memory`]: zeroed memory for tables that threads share
//! - [`files`]: files that no accident destroys
//! - [`processor`]: what becomes of a program on a processor that it was not built for
//! - [`debug_log`]: every line in and out, where it is asked for
//! - [`chess`]: the rules of the game
//! - [`nnue`], [`tablebase`]: the evaluation of a position, and what is known of endgames
//! - [`search`]: alpha-beta, its table, histories and time
//! - [`engine`]: position, options and threads behind one interface
//! - [`console`]: lines, progress, records, boards as text: what all rooms that speak have in common
//! - [`uci`]: the protocol
//! - [`learn`]: self-play, its files, the trainer
//! - [`workbench`]: the tools for people at a terminal
//! - [`cli`]: the command line

pub mod chess;
pub mod cli;
pub mod console;
pub mod debug_log;
pub mod engine;
pub mod files;
pub mod learn;
pub mod memory;
pub mod nnue;
pub mod processor;
pub mod search;
pub mod tablebase;
pub mod uci;
pub mod workbench;
