//! The commands of `enroque-tools` for players, coaches and arbiters. Each command has its own file or folder.
//!
//! A command consists of its arguments, a `run` that `main.rs` calls, and the code that writes its output. Rules and
//! search come from the engine, chess explained in words from `enroque-study`, safe files and long runs from
//! `enroque-runs`. To see how a command is built, read [`explain`], then [`sweep`].

pub mod analyse;
pub mod draw;
pub mod explain;
mod limits;
mod page;
pub mod prep;
pub mod puzzles;
pub mod quiz;
mod searcher;
pub mod startpos;
pub mod sweep;
mod text;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use enroque::chess::CastlingRules;
use enroque::chess::startpos::{START_SETS, StartSet};

/// clap shows the names of the rules in help and completions and refuses all other names, so `unwrap_or` never applies.
pub(crate) fn castling_rules() -> impl TypedValueParser<Value = CastlingRules> {
    PossibleValuesParser::new(CastlingRules::ALL.map(CastlingRules::name))
        .map(|name| CastlingRules::from_name(&name).unwrap_or(CastlingRules::Fischer))
}

fn start_set() -> impl TypedValueParser<Value = &'static StartSet> {
    PossibleValuesParser::new(START_SETS.iter().map(|set| set.name))
        .map(|name| StartSet::by_name(&name).unwrap_or(&START_SETS[0]))
}
