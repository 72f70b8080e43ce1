//! Splitting of a PGN file into the texts of its games.

/// Text of one game within a file.
pub struct Section<'a> {
    /// First line of the game, counted from 1.
    pub line: usize,
    /// Tags and movetext.
    pub text: &'a str,
}

/// Splits a file into games. A game begins with the first tag after movetext, or with a second tag `Event` if the game
/// before has no moves, so an error in one game does not affect the next. Lines within a comment are no tags, unless the
/// comment is not closed within its game.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let (mut begin, mut begin_line) = (0, 1);
    let (mut has_event, mut has_moves) = (false, false);
    let mut is_after_blank = true;
    let mut braces = Braces::new(text);
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let is_tag = is_tag(line) && braces.allow_tag(at, is_after_blank);
        let is_event = is_tag && line.trim_start().starts_with("[Event ");
        if is_tag && has_moves || is_event && has_event {
            sections.push(Section { line: begin_line, text: &text[begin..at] });
            (begin, begin_line) = (at, index + 1);
            (has_event, has_moves) = (is_event, false);
        } else if is_tag {
            has_event |= is_event;
        } else if !line.trim().is_empty() && !line.starts_with(['%', ';']) {
            has_moves = true;
        }
        let is_escaped = line.starts_with('%') && braces.is_outside(at);
        if !is_tag && !is_escaped {
            braces.read_line(at, line);
        }
        is_after_blank = line.trim().is_empty();
        at += line.len();
    }
    if !text[begin..].trim().is_empty() {
        sections.push(Section { line: begin_line, text: &text[begin..] });
    }
    sections
}

/// Comments in braces, found line by line.
struct Braces<'a> {
    text: &'a str,
    /// Byte offset after the current or the last comment.
    end: usize,
    /// Offsets of the next braces, the length of the text if there is none; searched again only when passed.
    next_open: usize,
    next_close: usize,
}

impl<'a> Braces<'a> {
    fn new(text: &'a str) -> Self {
        let mut braces = Self { text, end: 0, next_open: 0, next_close: 0 };
        (braces.next_open, braces.next_close) = (braces.find('{', 0), braces.find('}', 0));
        braces
    }

    fn find(&self, brace: char, from: usize) -> usize {
        self.text[from..].find(brace).map_or(self.text.len(), |length| from + length)
    }

    fn next_open(&mut self, from: usize) -> usize {
        if self.next_open < from {
            self.next_open = self.find('{', from);
        }
        self.next_open
    }

    fn next_close(&mut self, from: usize) -> usize {
        if self.next_close < from {
            self.next_close = self.find('}', from);
        }
        self.next_close
    }

    fn is_outside(&self, at: usize) -> bool {
        at >= self.end
    }

    /// Returns `true` if the line at `at` may be a tag: it is outside of comments, or it begins a paragraph in a comment
    /// whose closing brace belongs to a later comment.
    fn allow_tag(&mut self, at: usize, is_after_blank: bool) -> bool {
        if self.is_outside(at) {
            return true;
        }
        let is_unclosed = is_after_blank && self.next_open(at) < self.end;
        if is_unclosed {
            self.end = at;
        }
        is_unclosed
    }

    /// Finds the comments that begin on a line of movetext.
    fn read_line(&mut self, at: usize, line: &str) {
        let line_end = at + line.len();
        let mut from = at.max(self.end);
        while from < line_end {
            let open = self.next_open(from);
            let line_comment = line[from - at..].find(';').map_or(line_end, |length| from + length);
            if open >= line_end || line_comment < open {
                return;
            }
            let close = self.next_close(open);
            if close == self.text.len() {
                return;
            }
            self.end = close + 1;
            from = self.end;
        }
    }
}

/// Returns `true` if a line begins a tag, `[Name "value"]`, as opposed to a command within a comment, `[%clk 1:00]`.
pub fn is_tag(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('[');
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('"'))
}
