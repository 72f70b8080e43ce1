//! Speaks UCI to the built program through pipes.

mod commands;
mod limits;
mod lines;
mod options;
mod positions;
mod program;
mod stopping;

use crate::common::program::field;

/// Returns the last `info` line that has a PV.
fn last_info(lines: &[String]) -> &str {
    lines
        .iter()
        .rev()
        .find(|line| line.starts_with("info depth") && line.contains(" pv "))
        .expect("an info line")
}

fn best_move(lines: &[String]) -> &str {
    field(&lines[lines.len() - 1], "bestmove").expect("a best move")
}

fn number(line: &str, key: &str) -> i64 {
    field(line, key).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no {key} in {line}"))
}
