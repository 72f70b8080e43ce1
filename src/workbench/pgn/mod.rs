//! Games in PGN: read with all that their writers put beside the moves, and written again without losing a word of it.
//!
//! Libraries pass over words that they do not know; here each is either understood or told.

mod lexer;
mod reader;
mod words;
mod writer;

pub use reader::read;
pub use writer::write;

use crate::chess::{Board, Move};

/// A game.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start: Board,
    /// What was played; every move of it is one.
    pub line: Line,
    /// As the movetext ends: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// What could not be read, in words, with the place of each. The text itself stands in comments.
    pub faults: Vec<String>,
    /// What a reader should know besides.
    pub remarks: Vec<String>,
}

/// Moves that follow each other.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Line {
    /// What stands before the first move.
    pub before: Vec<Note>,
    /// The moves.
    pub moves: Vec<PgnMove>,
}

/// A move and what follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The move; `None` where a variation passes (`--`).
    pub mv: Option<Move>,
    /// What its writers said of it, in order.
    pub notes: Vec<Note>,
}

/// What stands beside a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// A numeric annotation glyph.
    Nag(u8),
    /// Words.
    Comment(String),
    /// What could have been played instead.
    Variation(Line),
}

impl PgnGame {
    /// The value of a tag, or a question mark.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(tag, _)| tag == name).map_or("?", |(_, value)| value)
    }

    /// The positions, from the first to the last, each as the game came to it.
    pub fn boards(&self) -> Vec<Board> {
        let mut board = self.start.clone();
        let mut boards = vec![board.clone()];
        for mv in self.moves() {
            board.make_move(mv);
            boards.push(board.clone());
        }
        boards
    }

    /// The moves played.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.line.moves.iter().filter_map(|played| played.mv)
    }
}

/// The text of one game and the line, counted from 1, at which it begins.
pub struct Section<'a> {
    pub line: usize,
    /// Tags and moves.
    pub text: &'a str,
}

/// Cuts a file into games, so that one broken game leaves the next ones whole. A game begins with the first tag after
/// moves.
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

/// `[Name "value"]`, not a command within a comment.
fn is_tag(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('[');
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('"'))
}

#[cfg(test)]
mod tests;
