//! Enroque: a UCI chess engine for which Chess960 is the normal case and the orthodox start is position 518.
//!
//! The modules in the order of their layers; each uses only those before it:
//!
//! - [`util`]: memory, files, random numbers, the debug log
//! - [`chess`]: the rules of the game
//! - [`nnue`], [`tablebase`]: static evaluation and Syzygy tablebases
//! - [`search`]: alpha-beta search, transposition table, histories, time management
//! - [`engine`]: position, options and threads behind one interface
//! - [`terminal`], [`runs`]: text output, and long runs that can be resumed
//! - [`commands`]: commands shared by the UCI loop and the command line
//! - [`uci`]: the UCI protocol
//! - [`learn`]: self-play, game files, matches, the trainer
//! - [`workbench`]: tools for people at a terminal
//! - [`cli`]: the command line

pub mod chess;
pub mod cli;
pub mod commands;
pub mod engine;
pub mod learn;
pub mod nnue;
pub mod runs;
pub mod search;
pub mod tablebase;
pub mod terminal;
pub mod uci;
pub mod util;
pub mod workbench;
