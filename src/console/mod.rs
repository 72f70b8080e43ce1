//! What all rooms that speak text share: writing lines, progress, interrupts, records beside files, boards as text, and
//! the commands that both the UCI loop and the command line have. No protocol and no arguments.

pub mod bench;
pub mod board;
pub mod eval;
pub mod genfens;
pub mod interrupt;
pub mod perft;
pub mod progress;
pub mod record;

use std::io::{self, Write};

/// Prints one or more lines at once, whole even when several threads print.
pub fn say(text: &str) {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{text}").and_then(|()| out.flush());
    if written.is_err() {
        // Nobody is listening any more.
        std::process::exit(0);
    }
}

/// The mean of some values, 0 of none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
