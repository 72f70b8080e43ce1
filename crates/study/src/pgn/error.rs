//! What the PGN reader could not read, and where.

use std::fmt;

use thiserror::Error;

use super::spelling::MoveError;
use enroque::chess::notation::FenError;
use enroque::chess::notation::position::PositionError;
use enroque::chess::{Board, Color};
use enroque::util::text::printable;

/// An error in a game, and where it is.
#[derive(Clone, Debug, Error)]
#[error("{at}{kind}")]
pub struct PgnError {
    pub at: Place,
    pub kind: PgnErrorKind,
}

impl PgnError {
    /// Whether the game has a variant that needs a start position, but tells none. Another start position helps then.
    pub fn lacks_start(&self) -> bool {
        matches!(self.kind, PgnErrorKind::NoStart { .. })
    }
}

/// A place in the text of a game. As text, it names the move, if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Line of the file or, if we read the game as a text of its own, of that text. Counted from 1.
    pub line: usize,
    /// Column of the line in characters, counted from 1.
    pub column: usize,
    /// The move before which the error is; `None` if it is in the tags.
    pub turn: Option<Turn>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.turn {
            Some(turn) => write!(f, "{turn}: "),
            None => Ok(()),
        }
    }
}

/// Who is to make which move of a game: `move 2... in a variation`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The number of the move, as in PGN.
    pub number: u32,
    pub color: Color,
    pub is_in_variation: bool,
}

impl Turn {
    /// Returns the turn on `board`, which is a position of the game or of a variation.
    pub fn on(board: &Board, is_in_variation: bool) -> Self {
        Self { number: board.fullmove_number(), color: board.side_to_move(), is_in_variation }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.color == Color::White { "." } else { "..." };
        let context = if self.is_in_variation { " in a variation" } else { "" };
        write!(f, "move {}{dots}{context}", self.number)
    }
}

/// What the reader could not read.
#[derive(Clone, Debug, Error)]
pub enum PgnErrorKind {
    /// A line begins like a tag, but isn't one.
    #[error("tag '{0}': expected [Name \"value\"]")]
    Tag(String),
    /// We don't know the variant, which may have other rules.
    #[error("tag Variant: '{}' is neither chess nor Chess960", .0.chars().map(printable).collect::<String>())]
    Variant(String),
    #[error("tag FEN: {0}")]
    Fen(FenError),
    /// The variant has no start position with this number.
    #[error(transparent)]
    Number(PositionError),
    /// The variant has many start positions, and the tags don't say which.
    #[error("the variant is {variant}, but there is neither a FEN nor a number of a start position")]
    NoStart { variant: String },
    #[error(transparent)]
    Move(#[from] MoveError),
    /// We have skipped the brace.
    #[error("a closing brace without an opening one")]
    StrayBrace,
    /// We have read both as one comment.
    #[error("a brace opens a comment within a comment")]
    NestedComment,
    #[error("a comment is not closed")]
    OpenComment,
    /// There is no move that the variation could replace.
    #[error("a variation before any move")]
    VariationBeforeMove,
    /// We have skipped the variation.
    #[error("more than {0} variations within each other")]
    TooDeep(usize),
    #[error("')' without '('")]
    StrayParenthesis,
    #[error("a variation before it is not closed")]
    OpenVariation,
    #[error("the game has ended, and more follows")]
    AfterEnd,
}

/// Counts lines and columns up to byte offsets that never decrease, so that many errors take linear time.
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    /// Returns the line and the column of a byte offset. An offset before the last one has the place of the last one.
    pub fn place(&mut self, offset: usize, turn: Option<Turn>) -> Place {
        let passed = self.text.get(self.at..offset).unwrap_or_default();
        self.line += passed.matches('\n').count();
        match passed.rsplit_once('\n') {
            Some((_, last)) => self.column = 1 + last.chars().count(),
            None => self.column += passed.chars().count(),
        }
        self.at = self.at.max(offset);
        Place { line: self.line, column: self.column, turn }
    }
}
