//! Commands for tasks other than playing.

pub mod bench;
pub mod eval;
pub mod genfens;
pub mod perft;
pub mod speedtest;
