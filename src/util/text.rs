//! Makes text from users and files safe to show in messages and on terminals.

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

/// Replaces control characters with `?`, because a terminal would obey them, and text from a file may contain anything.
/// Line feeds and tabs stay.
pub fn printable_lines(text: &str) -> String {
    let is_layout = |c| matches!(c, '\n' | '\t');
    text.replace("\r\n", "\n").chars().map(|c| if is_layout(c) { c } else { printable(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unprintable_characters_are_replaced() {
        assert_eq!(shortened("a\x1b[31m\x7f\u{9b}b\u{202e}c\u{2028}é"), "a?[31m??b?c?é");
        assert_eq!(shortened(&"x".repeat(61)), "x".repeat(60) + "…");
    }

    #[test]
    fn control_characters_are_replaced() {
        let text = "a\x1b[31m\u{9b}\x7f\u{85}\u{202e}\tb\r\nc\rd é\n";
        assert_eq!(printable_lines(text), "a?[31m????\tb\nc?d é\n");
    }
}
