//! Wraps text for people at the width of a terminal.

use std::fmt::Write as _;

use console::measure_text_width;

use enroque::terminal::{OutputError, print_line};

/// We wrap printed lines at this many columns.
pub const WIDTH: usize = 80;
/// When we wrap a line, we indent the rest by at most this many columns, so that enough room is left for text.
const MAX_INDENT: usize = 48;

/// Prints text for people, wrapped.
///
/// # Errors
/// Returns an error if standard output is closed or full.
pub fn print(text: &str) -> Result<(), OutputError> {
    print_line(&fit(text))
}

/// Wraps lines longer than [`WIDTH`] at blanks. Two or more blanks separate columns, and the rest of a long line is
/// indented to where its last column begins.
pub fn fit(text: &str) -> String {
    text.split('\n').map(fit_line).collect::<Vec<_>>().join("\n")
}

fn fit_line(line: &str) -> String {
    if measure_text_width(line) <= WIDTH {
        return line.to_owned();
    }
    let begins = line.match_indices(' ').map(|(at, _)| at + 1);
    let columns = begins.filter(|&at| line[..at].ends_with("  ") && !line[at..].starts_with(' '));
    let mut columns = columns.map(|at| (at, measure_text_width(&line[..at])));
    let (begin, indent) = columns.rfind(|&(_, width)| width <= MAX_INDENT).unwrap_or((0, 0));
    let (mut lines, mut column) = (line[..begin].to_owned(), indent);
    for (index, word) in line[begin..].split(' ').enumerate() {
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
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_below_their_column() {
        for blanks in [2, 3, 15] {
            let first = format!("  by hand{:blanks$}", "");
            let text = fit(&format!("short\n{first}{}", "word ".repeat(30).trim_end()));
            let (begin, rest) = text.split_once(&first).unwrap();
            let expected = format!("{:1$}word", "", first.len());
            assert!(
                begin == "short\n" && rest.lines().skip(1).all(|line| line.starts_with(&expected)),
                "{text}"
            );
            assert!(text.lines().count() > 3 && text.lines().all(|line| line.len() <= WIDTH), "{text}");
        }
        // A line without columns continues at the left margin, and a word that is too long for a line stays whole.
        let words = fit(&format!("one {} two", "x".repeat(90)));
        assert_eq!(words.lines().map(str::len).collect::<Vec<_>>(), [3, 90, 3]);
    }
}
