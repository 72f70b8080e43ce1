//! Tests the program: each command with its outputs, errors and interrupted runs.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod analyse;
mod analyse_games;
mod analyse_runs;
#[path = "../../../../tests/engine/common/mod.rs"]
#[allow(dead_code)] // Only the engine's tests use all of it.
mod common;
mod draw;
mod earlier;
mod events;
mod files;
mod folder;
mod help;
mod pages;
mod prep;
mod puzzles;
mod starts;
mod sweep;
mod workbench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_enroque-tools");

/// Interrupts the child as Ctrl-C would.
#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}
