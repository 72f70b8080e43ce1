//! Commands that both the UCI loop and the command line offer.

pub mod bench;
pub mod eval;
pub mod genfens;
pub mod perft;
pub mod speedtest;
