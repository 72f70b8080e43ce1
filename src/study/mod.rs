//! Chess for people, without a search: games in PGN, castlings, start positions and quiz questions in words.

pub mod castling;
pub mod pgn;
pub mod quiz;
pub mod start;
