//! Tests the program: each command with its outputs, errors and interrupted runs.

mod analyse;
#[path = "../../../../tests/engine/common/mod.rs"]
mod common;
mod draw;
mod events;
mod files;
mod folder;
mod help;
mod prep;
mod puzzles;
mod sweep;
mod workbench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_enroque-tools");
