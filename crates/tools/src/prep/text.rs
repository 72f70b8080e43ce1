//! Preparation as text.

use std::fmt::Write as _;

use console::measure_text_width;

use super::sheet::Sheet;
use enroque::chess::Board;
use enroque::terminal::diagram;

const WIDTH: usize = 80;
const LABEL_WIDTH: usize = 18;

/// Returns the contents of a page as text.
pub fn sheet(board: &Board, sheet: &Sheet) -> String {
    let mut text = format!("{}   {}\n{}\n\n{}\n", sheet.name, sheet.pieces, sheet.fen, diagram(board));
    let _ = writeln!(text, "\nMirror {}", sheet.mirror);
    for block in &sheet.facts {
        let _ = writeln!(text, "\n{}", block.title);
        for (label, value) in &block.rows {
            text.push_str(&wrapped(&format!("  {label:<LABEL_WIDTH$} "), value));
        }
    }
    text.push_str("\nCandidate moves\n  score    W/  D/  L  plan\n");
    for candidate in &sheet.candidates {
        let [win, draw, loss] = candidate.chances;
        let chances = format!("{win:>3}/{draw:>3}/{loss:>3}");
        text.push_str(&wrapped(&format!("{:>7}  {chances}  ", candidate.score), &candidate.plan));
    }
    text.push_str("\nTraps and hidden moves\n");
    if sheet.traps.is_empty() {
        text.push_str("  none found: no move changes its value much with depth\n");
    }
    for trap in &sheet.traps {
        text.push_str(&wrapped("  ", &format!("{} {}", trap.moves, trap.text)));
    }
    text.push_str(&wrapped("\nSharpness  ", &sheet.sharpness));
    text.push_str("\nIn your first five moves\n");
    for line in &sheet.advice {
        text.push_str(&wrapped("  - ", line));
    }
    let _ = write!(text, "\n{}, {}", sheet.engine, sheet.searched);
    text
}

/// Returns a text broken into lines, the first after `first`, the others indented to the same column.
fn wrapped(first: &str, text: &str) -> String {
    let indent = measure_text_width(first.trim_start_matches('\n'));
    let (mut lines, mut column) = (first.to_owned(), indent);
    for (index, word) in text.split(' ').enumerate() {
        let width = measure_text_width(word);
        if index > 0 && column + 1 + width > WIDTH {
            let _ = write!(lines, "\n{:indent$}", "");
            column = indent;
        } else if index > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_wrapped() {
        let text = wrapped("\n  x ", &"word ".repeat(30));
        let lines: Vec<&str> = text.trim_start().lines().collect();
        assert!(lines.len() == 2 && lines[1].starts_with("    word"), "{text}");
        assert!(lines.iter().all(|line| line.len() <= WIDTH));
    }
}
