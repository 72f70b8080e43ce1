//! Splits a PGN file into the texts of its games, and reads the tags with which games begin.

use std::collections::HashSet;

use super::lexer::is_blank;

/// The text of one game in a file.
pub struct Section<'a> {
    /// The line of the file on which the game begins, counted from 1.
    pub line: usize,
    /// Tags and movetext.
    pub text: &'a str,
}

/// Splits a file into games, so that an error in one game does not affect the next game.
///
/// A game begins with the first tag after movetext, even on the same line. After a game without moves, the next game
/// begins with a second tag `Event`, or when any other tag is repeated after a blank line. Tags within a comment do not
/// count, unless the brace that should close the comment seems to be missing.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let (mut begin, mut begin_line) = (0, 1);
    let mut names = HashSet::new();
    let (mut has_moves, mut is_after_blank, mut has_paused) = (false, true, false);
    let mut braces = Braces::new(text);
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let line_end = at + line.len();
        let mut from = braces.end_of_comment(at, line, is_after_blank);
        let mut has_only_tags = true;
        while from < line_end && !(from == at && line.starts_with('%')) {
            let rest = &text[from..line_end];
            let tag = if has_only_tags {
                Tag::read_line(rest, !has_moves || is_after_blank)
            } else {
                Tag::read(rest)
            };
            if let Some(Tag { name, length, .. }) = tag {
                let name = name.to_ascii_lowercase();
                if has_moves || names.contains(&name) && (has_paused || name == "event") {
                    sections.push(Section { line: begin_line, text: &text[begin..from] });
                    (begin, begin_line) = (from, index + 1);
                    names.clear();
                }
                names.insert(name);
                (has_moves, has_paused) = (false, false);
                from += length;
                continue;
            }
            from = match rest.chars().next() {
                Some(';') => line_end,
                Some('{') => braces.skip_comment(from).unwrap_or(line_end),
                Some(c) if is_blank(c) => from + c.len_utf8(),
                c => {
                    (has_moves, has_only_tags) = (true, false);
                    let next = from + c.map_or(1, char::len_utf8);
                    text[next..line_end].find(['[', '{', ';']).map_or(line_end, |length| next + length)
                }
            };
        }
        is_after_blank = line.chars().all(is_blank);
        has_paused |= is_after_blank;
        at = line_end;
    }
    if !text[begin..].chars().all(is_blank) {
        sections.push(Section { line: begin_line, text: &text[begin..] });
    }
    sections
}

/// Finds the ends of comments in braces while [`sections`] goes from line to line.
struct Braces<'a> {
    text: &'a str,
    /// Byte offset of the end of the current comment or, between comments, of the last comment.
    end: usize,
    /// Byte offsets of the next brace of each kind, or the length of the text if there is none. We search again only
    /// after passing that brace, so that the time stays linear in the length of the text.
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

    /// Returns the end of the comment that is open at `at`, the start of a line; `at` if none is open. If a tag begins
    /// a paragraph, and another comment opens before the next closing brace, we assume that the comment should have
    /// ended before the tag.
    fn end_of_comment(&mut self, at: usize, line: &str, is_after_blank: bool) -> usize {
        if at < self.end
            && is_after_blank
            && Tag::read_line(line.trim_start_matches(is_blank), false).is_some()
        {
            if self.next_open < at {
                self.next_open = self.find('{', at);
            }
            if self.next_open < self.end {
                self.end = at;
            }
        }
        self.end.max(at)
    }

    /// Returns where the comment that begins at `open` ends; `None` if it is never closed.
    fn skip_comment(&mut self, open: usize) -> Option<usize> {
        if self.next_close < open {
            self.next_close = self.find('}', open);
        }
        (self.next_close < self.text.len()).then(|| {
            self.end = self.next_close + 1;
            self.end
        })
    }
}

/// A tag, `[Name "value"]`.
#[derive(Debug)]
pub struct Tag<'a> {
    /// Empty if the tag cannot be read.
    pub name: &'a str,
    /// The value without its quotation marks, but with its escapes.
    pub value: &'a str,
    /// How many bytes the tag takes, with its brackets.
    pub length: usize,
}

/// Quotation marks that word processors put around a value.
const TYPOGRAPHIC_QUOTES: [char; 7] = ['“', '”', '„', '«', '»', '‘', '’'];

impl<'a> Tag<'a> {
    /// Reads a tag in its standard form at the start of `text`, which may be in the middle of a line.
    pub fn read(text: &'a str) -> Option<Self> {
        let inside = text.strip_prefix('[')?;
        let (name, value) = inside.split_at(inside.find(['"', '[', ']', '{', '}'])?);
        let (name, value) = (name.trim(), value.strip_prefix('"')?);
        let (value, after) = standard_value(value)?;
        let is_name = is_tag_name(name) && !name.contains(char::is_whitespace);
        is_name.then_some(Self { name, value, length: text.len() - after.len() })
    }

    /// Reads a tag at the start of a line, or after other tags. Quotation marks in the value need not be escaped, and
    /// with `may_lack_quotes` the value needs none around it. If we cannot read the tag, we return an empty name and
    /// the length of the line.
    pub fn read_line(line: &'a str, may_lack_quotes: bool) -> Option<Self> {
        // A command that is not in a comment, such as `[%clk 0:01:02]`, is not a tag.
        let inside = line.strip_prefix('[').filter(|inside| !inside.starts_with('%'))?;
        let begin = inside.find(['"', ']'])?;
        let (name, value) = (inside[..begin].trim(), &inside[begin + 1..]);
        if inside[begin..].starts_with(']') {
            let (name, value) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
            let value = value.trim().trim_matches(TYPOGRAPHIC_QUOTES).trim();
            let is_tag = may_lack_quotes && is_tag_name(name);
            return is_tag.then_some(Self { name, value, length: begin + 2 });
        }
        let tag = standard_value(value).or_else(|| loose_value(value)).filter(|_| is_tag_name(name));
        let unread = Self { name: "", value: "", length: line.len() };
        Some(tag.map_or(unread, |(value, after)| Self { name, value, length: line.len() - after.len() }))
    }
}

/// Returns the value of a tag, and the text after the tag. The first quotation mark that is not escaped ends the value.
fn standard_value(text: &str) -> Option<(&str, &str)> {
    let is_unescaped = |at: usize| (at - text[..at].trim_end_matches('\\').len()).is_multiple_of(2);
    let (end, _) = text.match_indices('"').find(|&(at, _)| is_unescaped(at))?;
    Some((&text[..end], text[end + 1..].trim_start().strip_prefix(']')?))
}

/// Like [`standard_value`], but the value may contain quotation marks: only a mark before a closing bracket ends it.
fn loose_value(text: &str) -> Option<(&str, &str)> {
    let ends = text.match_indices(']').map(|(at, _)| (text[..at].trim_end(), &text[at + 1..]));
    ends.into_iter().find_map(|(value, after)| Some((value.strip_suffix('"')?, after)))
}

/// Whether a tag that we write with this name can be read again.
fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['[', ']', '{', '}'])
}
