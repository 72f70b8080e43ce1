//! Games in PGN: reading with all comments, glyphs and variations, and writing without loss.
//!
//! Text that cannot be understood is reported and kept in a comment, never dropped.

mod game;
mod lexer;
mod reader;
mod sections;
mod spelling;
mod writer;

pub use game::{Line, Note, PgnGame, PgnMove};
pub use reader::read;
pub use sections::{Section, sections};
pub use writer::write;

#[cfg(test)]
mod tests;
