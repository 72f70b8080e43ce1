//! A game as read from PGN: tags, moves, comments, glyphs and variations.

use super::PgnError;
use enroque::chess::{Board, Move};
use enroque::util::text::printable;

/// A game with its tags, moves and annotations, as [`read`](super::read) returns it and [`write`](super::write) takes
/// it.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Tag names and values, in file order.
    pub tags: Vec<(String, String)>,
    pub start: Board,
    pub line: Line,
    /// The game termination marker: `1-0`, `0-1`, `1/2-1/2` or `*`; `0-0`, `1/2-0` or `0-1/2` after a penalty.
    pub result: String,
    /// What we could not read, and where. The text itself is kept in comments of the game.
    pub errors: Vec<PgnError>,
}

/// A sequence of moves: the game itself or a variation.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Line {
    /// Annotations before the first move.
    pub before: Vec<Note>,
    pub moves: Vec<PgnMove>,
}

/// A move and the annotations that follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// `None` for a null move (`--`).
    pub mv: Option<Move>,
    /// Glyphs, comments and variations, in file order.
    pub notes: Vec<Note>,
}

/// An annotation of the move that it follows, or of the beginning of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// A numeric annotation glyph: 1 stands for `!`, 2 for `?`.
    Nag(u8),
    /// The text without its braces.
    Comment(String),
    /// Another move instead of the annotated move, and how the game could have gone on.
    Variation(Line),
}

impl PgnGame {
    /// Returns the value of a tag, or `?` if it is missing.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(tag, _)| tag == name).map_or("?", |(_, value)| value)
    }

    /// Returns the names of both players. Characters that would affect the terminal become `?`.
    pub fn players(&self) -> String {
        format!("{} - {}", self.tag("White"), self.tag("Black")).chars().map(printable).collect()
    }

    /// Returns the positions of the game from first to last, each with the history needed to detect repetitions.
    pub fn positions(&self) -> impl Iterator<Item = Board> + Send + '_ {
        let mut board = self.start.clone();
        let first = board.clone();
        let later = self.moves().map(move |mv| {
            play(&mut board, mv);
            board.trim_history();
            board.clone()
        });
        std::iter::once(first).chain(later)
    }

    /// Returns the moves of the main line; `None` is a null move.
    pub fn moves(&self) -> impl Iterator<Item = Option<Move>> + Send + '_ {
        self.line.moves.iter().map(|played| played.mv)
    }
}

/// Plays a move or, for `None`, a null move.
pub fn play(board: &mut Board, mv: Option<Move>) {
    match mv {
        Some(mv) => board.make_move(mv),
        None => board.make_null_move(),
    }
}

/// Returns a move on `board` in algebraic notation, a null move as `--`.
pub fn san(board: &Board, mv: Option<Move>) -> String {
    mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv))
}
