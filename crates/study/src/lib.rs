//! Chess for people, without a search: games in PGN, castlings, start positions, quiz questions, scored variations, and
//! marks of bad moves.

pub mod board;
pub mod castling;
pub mod facts;
pub mod judgement;
pub mod line;
pub mod pgn;
pub mod quiz;
pub mod start;
