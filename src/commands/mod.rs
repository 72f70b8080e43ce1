//! What the engine can do besides playing.

pub mod bench;
pub mod eval;
pub mod genfens;
pub mod perft;
pub mod speedtest;
