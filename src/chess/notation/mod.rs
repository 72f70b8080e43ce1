//! Notation of positions and moves: FEN and its dialects, what users type for a position, standard algebraic notation,
//! and UCI coordinates.

pub mod false_right;
pub mod fen;
pub mod position;
pub mod san;
pub mod uci_move;

pub use false_right::{FalseRight, false_rights};
pub use fen::{FenError, FenStyle};
pub use san::SanError;
pub use uci_move::CastlingNotation;

/// Makes a user's text safe to quote in a message: cuts it to 60 characters, and replaces unprintable ones with `?`.
pub fn shortened(text: &str) -> String {
    const LENGTH: usize = 60;
    let clean: String = text.chars().take(LENGTH).map(printable).collect();
    if text.chars().nth(LENGTH).is_some() { format!("{clean}…") } else { clean }
}

/// Returns `c`, or `?` if it would garble the text around it: control characters, which a terminal obeys, line
/// separators, and marks that change the writing direction.
pub fn printable(c: char) -> char {
    let is_direction =
        matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let is_separator = matches!(c, '\u{2028}' | '\u{2029}');
    if c.is_control() || is_direction || is_separator { '?' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unprintable_characters_are_replaced() {
        assert_eq!(shortened("a\x1b[31m\x7f\u{9b}b\u{202e}c\u{2028}é"), "a?[31m??b?c?é");
        assert_eq!(shortened(&"x".repeat(61)), "x".repeat(60) + "…");
    }
}
