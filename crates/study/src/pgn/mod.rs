//! Reads games in PGN with all comments, glyphs and variations, and writes them without loss.
//!
//! Text that we don't understand is reported and kept in a comment, never dropped.

pub mod comment;
mod error;
mod export;
mod game;
mod lexer;
mod reader;
mod sections;
mod spelling;
mod start;
mod tag;
mod writer;

pub use error::{PgnError, PgnErrorKind, Place, Turn};
pub use game::{Line, Note, PgnGame, PgnMove, play, san};
pub use reader::{read, tags};
pub use sections::{Section, Sections, sections};
pub use spelling::{ENGLISH, LANGUAGES, MoveError, move_symbol};
pub use writer::write;

#[cfg(test)]
mod tests;
