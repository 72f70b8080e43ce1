//! Commands for people at a terminal: analyse, sweep, draw, prep, puzzles, explain, quiz, startpos and perft, one file
//! or folder each.

pub mod analyse;
pub mod draw;
pub mod explain;
mod page;
pub mod prep;
pub mod puzzles;
pub mod quiz;
mod sample;
mod searcher;
mod shell;
pub mod startpos;
mod svg;
pub mod sweep;
mod text_file;

pub use enroque_study::pgn;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use enroque::chess::CastlingRules;
use enroque::chess::startpos::{START_SETS, StartSet};

/// Returns the parser of a castling rules argument, with the names as completions.
pub(crate) fn castling_rules() -> impl TypedValueParser<Value = CastlingRules> {
    PossibleValuesParser::new(CastlingRules::ALL.map(CastlingRules::name))
        .map(|name| CastlingRules::from_name(&name).unwrap_or(CastlingRules::Fischer))
}

/// Returns the parser of a start position set argument, with the names as completions.
fn start_set() -> impl TypedValueParser<Value = &'static StartSet> {
    PossibleValuesParser::new(START_SETS.iter().map(|set| set.name))
        .map(|name| StartSet::by_name(&name).unwrap_or(&START_SETS[0]))
}
