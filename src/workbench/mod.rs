//! The tools for people at a terminal, one file or folder each: analysing, sweeping, explaining, asking, drawing start
//! positions, checking move generation.

pub mod analyse;
pub mod explain;
mod methods;
mod page;
pub mod perft;
pub mod pgn;
mod placing;
pub mod position;
pub mod quiz;
pub mod startpos;
pub mod sweep;
mod text_file;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::chess::CastlingRules;
use crate::chess::startpos::{START_SETS, StartSet};

/// Reads the name of castling rules; shells offer the names.
pub(crate) fn castling_rules() -> impl TypedValueParser<Value = CastlingRules> {
    PossibleValuesParser::new(CastlingRules::ALL.map(CastlingRules::name))
        .map(|name| CastlingRules::from_name(&name).unwrap_or(CastlingRules::Fischer))
}

/// Reads the name of a set of start positions; shells offer the names.
fn start_set() -> impl TypedValueParser<Value = &'static StartSet> {
    PossibleValuesParser::new(START_SETS.iter().map(|set| set.name))
        .map(|name| StartSet::by_name(&name).unwrap_or(&START_SETS[0]))
}
