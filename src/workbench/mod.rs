//! The tools for people at a terminal, one file or folder each: analysing, sweeping, explaining, drawing start
//! positions, checking move generation.

pub mod analyse;
pub mod explain;
mod methods;
mod page;
pub mod perft;
pub mod pgn;
mod placing;
pub mod position;
pub mod startpos;
pub mod sweep;
mod text_file;

use crate::chess::CastlingRules;
use crate::chess::startpos::{START_SETS, StartSet};

/// Reads the name of castling rules.
pub(crate) fn castling_rules(name: &str) -> Result<CastlingRules, String> {
    let names = || CastlingRules::ALL.map(CastlingRules::name).join(", ");
    CastlingRules::from_name(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// Reads the name of a set of start positions.
fn start_set(name: &str) -> Result<&'static StartSet, String> {
    let names = || START_SETS.iter().map(|set| set.name).collect::<Vec<_>>().join(", ");
    StartSet::by_name(name).ok_or_else(|| format!("expected one of {}", names()))
}
