//! Exclusions of starts: by number, by set, or by a condition on the scores of a sweep.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;

use thiserror::Error;

use super::event::Exclusion;
use super::hash;
use crate::startpos::{StartposError, lookup};
use crate::sweep::results::{ResultsError, Row};
use crate::sweep::{self, SweepError};
use enroque::chess::position::PositionError;
use enroque::chess::startpos::StartSet;

/// Largest number of starts that one exclusion lists.
const MAX_LISTED: u64 = 10_000;
/// Thousandths of a per cent.
const PER_MILLE: f64 = 10.0;

/// Error of an exclusion.
#[derive(Debug, Error)]
pub enum ExclusionError {
    /// Text in no form of an exclusion.
    #[error(
        "'{0}': expected a number, a range such as 0..5, a set such as chess90, or a condition such as abs>0.4"
    )]
    Unknown(String),
    /// Start that the set does not have.
    #[error("'{0}': {1}")]
    Number(String, Box<StartposError>),
    /// Set with too many starts.
    #[error("'{name}': excludes {count} starts, expected at most {MAX_LISTED}; draw from another set")]
    Large {
        /// Words of the command line.
        name: String,
        /// Number of starts.
        count: u64,
    },
    /// Condition without scores.
    #[error("'{0}': a condition needs --scores FILE, the results of a sweep")]
    NoScores(String),
    /// Sweep without a start of the event.
    #[error("'{name}': the sweep has no score for start {number}")]
    Incomplete {
        /// Words of the command line.
        name: String,
        /// Number of the start.
        number: u64,
    },
}

/// Column of a sweep.
type Column = fn(&Row) -> f64;
/// Comparison of a column with a value.
type Comparison = fn(f64, f64) -> bool;

/// Columns that a condition compares: the score in pawns for White, and chances in per cent.
const COLUMNS: [(&str, Column); 5] = [
    ("abs", |row| row.pawns().abs()),
    ("score", Row::pawns),
    ("win", |row| f64::from(row.win) / PER_MILLE),
    ("draw", |row| f64::from(row.draw) / PER_MILLE),
    ("loss", |row| f64::from(row.loss) / PER_MILLE),
];

/// Comparisons of a condition, the longer symbols first.
const COMPARISONS: [(&str, Comparison); 4] =
    [(">=", |a, b| a >= b), ("<=", |a, b| a <= b), (">", |a, b| a > b), ("<", |a, b| a < b)];

/// Results of a sweep by the numbers of White's and Black's back ranks.
pub struct Scores {
    rows: HashMap<(u32, u32), Row>,
    /// Name, hash and origin of the file, as the header of an event records them.
    pub source: String,
    hash: String,
}

impl Scores {
    /// Reads the results of a sweep.
    ///
    /// # Errors
    /// Returns an error if the file or its record cannot be read.
    pub fn read(path: &Path) -> Result<Self, SweepError> {
        let (rows, origin) = sweep::read(path)?;
        let bytes =
            std::fs::read(path).map_err(|reason| ResultsError::File { path: path.to_owned(), reason })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let hash = hash::sha256_bytes(&bytes);
        let source = format!("{name}, sha256 {hash}, {origin}");
        Ok(Self { rows: rows.into_iter().map(|row| ((row.white, row.black), row)).collect(), source, hash })
    }

    /// Returns `true` if the source in the header of an event is this file, under any name.
    pub fn is_of(&self, source: &str) -> bool {
        source.contains(&format!(", sha256 {}, ", self.hash))
    }
}

/// Rule of an exclusion.
pub enum Rule {
    Numbers(RangeInclusive<u64>),
    Set(&'static StartSet),
    Condition { column: Column, comparison: Comparison, value: f64 },
}

impl Rule {
    /// Parses `518`, `344:402`, `0..5`, `rnbqkbnr`, `chess90` or `abs>0.4`.
    fn parse(text: &str, set: &'static StartSet) -> Result<Self, ExclusionError> {
        let unknown = || ExclusionError::Unknown(text.to_owned());
        if let Some(set) = StartSet::by_name(text) {
            return Ok(Self::Set(set));
        }
        let Some((symbol, comparison)) = COMPARISONS.iter().find(|(symbol, _)| text.contains(symbol)) else {
            return lookup::numbers_by_text(set, text).map(Self::Numbers).map_err(|error| match error {
                StartposError::Position(PositionError::Unknown(_)) => unknown(),
                error => ExclusionError::Number(text.to_owned(), Box::new(error)),
            });
        };
        let (name, value) = text.split_once(symbol).ok_or_else(unknown)?;
        let (_, column) = COLUMNS.iter().find(|(column, _)| *column == name).ok_or_else(unknown)?;
        let value = value.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(unknown)?;
        Ok(Self::Condition { column: *column, comparison: *comparison, value })
    }

    /// Returns `true` if the numbers of an exclusion are ascending numbers of the set and those that its name gives.
    /// Numbers of a condition depend on the scores and cannot be checked without them.
    pub fn holds(exclusion: &Exclusion, set: &'static StartSet) -> bool {
        let Exclusion { name, numbers } = exclusion;
        let is_ascending = numbers.is_sorted_by(|a, b| a < b);
        let is_in_set = numbers.last().is_none_or(|&last| last < set.count());
        let expected = match Self::parse(name, set) {
            Ok(Self::Condition { .. }) => Ok(numbers.clone()),
            _ => numbers_of(name, set, None),
        };
        is_ascending && is_in_set && expected.is_ok_and(|expected| expected == *numbers)
    }
}

/// Returns the exclusion that `text` names.
///
/// # Errors
/// Returns an error if `text` names none, or if a condition has no scores.
pub fn of_text(
    text: &str,
    set: &'static StartSet,
    scores: Option<&Scores>,
) -> Result<Exclusion, ExclusionError> {
    let name: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    Ok(Exclusion { numbers: numbers_of(&name, set, scores)?, name })
}

/// Returns the numbers of White's and Black's back ranks of each position of a set, in order.
fn pairs(set: &StartSet) -> Vec<(u32, u32)> {
    let ranks = set.ranks();
    if set.double {
        ranks.iter().flat_map(|&white| ranks.iter().map(move |&black| (white, black))).collect()
    } else {
        ranks.into_iter().map(|number| (number, number)).collect()
    }
}

/// Returns the numbers in `set` that the exclusion of this name has.
fn numbers_of(
    name: &str,
    set: &'static StartSet,
    scores: Option<&Scores>,
) -> Result<Vec<u64>, ExclusionError> {
    match Rule::parse(name, set)? {
        Rule::Numbers(numbers) => {
            let count = (numbers.end() - numbers.start()).saturating_add(1);
            if count > MAX_LISTED {
                return Err(ExclusionError::Large { name: name.to_owned(), count });
            }
            Ok(numbers.collect())
        }
        Rule::Set(excluded) => {
            let count = excluded.count();
            if count > MAX_LISTED {
                return Err(ExclusionError::Large { name: name.to_owned(), count });
            }
            let ranks = set.ranks();
            let place = |number| ranks.binary_search(&number).ok().map(|place| place as u64);
            let index = |(white, black)| {
                let (white, black) = place(white).zip(place(black))?;
                match set.double {
                    true => Some(white * ranks.len() as u64 + black),
                    false => (white == black).then_some(white),
                }
            };
            let mut numbers: Vec<u64> = pairs(excluded).into_iter().filter_map(index).collect();
            numbers.sort_unstable();
            Ok(numbers)
        }
        Rule::Condition { column, comparison, value } => {
            let scores = scores.ok_or_else(|| ExclusionError::NoScores(name.to_owned()))?;
            if set.count() > MAX_LISTED {
                return Err(ExclusionError::Large { name: name.to_owned(), count: set.count() });
            }
            let mut excluded = Vec::new();
            for (number, pair) in (0..).zip(pairs(set)) {
                let row = scores.rows.get(&pair);
                let missing = || ExclusionError::Incomplete { name: name.to_owned(), number };
                if comparison(column(row.ok_or_else(missing)?), value) {
                    excluded.push(number);
                }
            }
            Ok(excluded)
        }
    }
}

/// Returns `true` if the exclusion is a condition on scores.
pub fn is_condition(exclusion: &Exclusion, set: &'static StartSet) -> bool {
    matches!(Rule::parse(&exclusion.name, set), Ok(Rule::Condition { .. }))
}
