//! Chess for people: games in PGN, castling and start positions in words, quiz questions, variations with a score, and
//! marks for bad moves.
//!
//! Nothing here searches, prints or touches a file, so that the web page can use this crate as well as the tools. Start
//! with [`pgn`].

#[cfg(not(target_family = "wasm"))]
pub mod atlas;
pub mod board;
pub mod castling;
pub mod clock;
mod course;
pub mod dice;
pub mod encoding;
pub mod evaluation;
pub mod facts;
pub mod families;
pub mod judgement;
pub mod line;
pub mod motif;
pub mod pgn;
pub mod phase;
pub mod quiz;
pub mod reason;
pub mod remark;
pub mod review;
pub mod search_record;
pub mod start;
pub mod start_text;
