//! Splitting of a PGN file into the texts of its games.

/// Text of one game within a file.
pub struct Section<'a> {
    /// First line of the game, counted from 1.
    pub line: usize,
    /// Tags and movetext.
    pub text: &'a str,
}

/// Splits a file into games. A game begins with the first tag after movetext, so an error in one game does not affect the
/// next.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let (mut begin, mut begin_line) = (0, 1);
    let mut has_moves = false;
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_tag = is_tag(line);
        if is_tag && has_moves {
            sections.push(Section { line: begin_line, text: &text[begin..at] });
            (begin, begin_line, has_moves) = (at, index + 1, false);
        } else if !is_tag && !line.trim().is_empty() && !line.starts_with(['%', ';']) {
            has_moves = true;
        }
        at += line.len();
    }
    if !text[begin..].trim().is_empty() {
        sections.push(Section { line: begin_line, text: &text[begin..] });
    }
    sections
}

/// Returns `true` if a line begins a tag, `[Name "value"]`, as opposed to a command within a comment, `[%clk 1:00]`.
pub fn is_tag(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('[');
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('"'))
}
