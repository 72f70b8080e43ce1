//! Excludes starts from an event: by number, by set, or by a condition on the scores of a sweep, such as `abs>0.4`.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::sweep;
use crate::sweep::rows::PlainRow;
use enroque::chess::startpos::{StartNumbers, StartSet};
use enroque_study::start_text::numbers_by_text;

/// We refuse an exclusion if more starts than this would have to be listed or checked.
const MAX_EXCLUDED: u64 = 10_000;
/// A sweep gives chances in thousandths, a condition in per cent. One per cent is this many thousandths.
const PER_MILLE: f64 = 10.0;

type Column = fn(&PlainRow) -> f64;
type Comparison = fn(f64, f64) -> bool;

/// What a condition can test: White's score in pawns (`abs`: without its sign), and White's chances in per cent.
const COLUMNS: [(&str, Column); 5] = [
    ("abs", |row| row.pawns().abs()),
    ("score", PlainRow::pawns),
    ("win", |row| f64::from(row.win) / PER_MILLE),
    ("draw", |row| f64::from(row.draw) / PER_MILLE),
    ("loss", |row| f64::from(row.loss) / PER_MILLE),
];

/// We look for `>=` and `<=` first, because they contain `>` and `<`.
const COMPARISONS: [(&str, Comparison); 4] =
    [(">=", |a, b| a >= b), ("<=", |a, b| a <= b), (">", |a, b| a > b), ("<", |a, b| a < b)];

/// The results of a sweep, by start.
pub struct Scores {
    rows: HashMap<StartNumbers, PlainRow>,
    /// Where the scores come from, in words: the file's name and the settings of its sweep.
    pub source: String,
}

impl Scores {
    pub fn read(path: &Path) -> Result<Self> {
        let (rows, origin) = sweep::read(path).context("--scores")?;
        let source = format!("{}, {origin}", path.file_name().unwrap_or_default().to_string_lossy());
        let with_numbers = |row: PlainRow| Some((StartNumbers::new(row.white, row.black)?, row));
        Ok(Self { rows: rows.into_iter().filter_map(with_numbers).collect(), source })
    }
}

/// Returns what the event file records for the exclusion `text`. To a condition we append the numbers of the starts
/// that it excludes, so that nobody needs the sweep to verify the draw.
pub fn record(text: &str, set: &'static StartSet, scores: Option<&Scores>) -> Result<String> {
    let name = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let Some((symbol, comparison)) = comparison(&name) else { return Ok(name) };
    let (column, value) = name.split_once(symbol).unwrap_or_default();
    let column = COLUMNS.iter().find(|(known, _)| *known == column).map(|(_, column)| column);
    let value = value.parse().ok().filter(|value: &f64| value.is_finite());
    let (column, value) = column.zip(value).with_context(|| {
        format!("exclude {name}: expected abs, score, win, draw or loss and a number, such as abs>0.4")
    })?;
    let scores = scores.with_context(|| format!("exclude {name}: needs --scores FILE, made by a sweep"))?;
    ensure_few(set.count()).with_context(|| format!("exclude {name}"))?;
    let mut record = format!("{name}:");
    for (number, numbers) in set.all_numbers().enumerate() {
        let row = scores.rows.get(&numbers);
        let row = row.with_context(|| format!("exclude {name}: the sweep has no start {number}"))?;
        if comparison(column(row), value) {
            record += &format!(" {number}");
        }
    }
    Ok(record)
}

/// Returns the record of an exclusion without the numbers that follow a condition.
pub fn name(record: &str) -> &str {
    comparison(record).and_then(|_| record.split(':').next()).unwrap_or(record)
}

/// Returns the numbers, within `set`, of the starts that a record made by [`record`] excludes.
pub fn numbers(record: &str, set: &'static StartSet) -> Result<Vec<u64>> {
    if comparison(record).is_some() {
        let (_, numbers) = record.split_once(':').context("expected the numbers of the condition")?;
        return numbers.split_whitespace().map(|number| Ok(set.parse(number)?)).collect();
    }
    let Some(excluded) = StartSet::by_name(record) else {
        let numbers = numbers_by_text(set, record)?;
        ensure_few((numbers.end() - numbers.start()).saturating_add(1))?;
        return Ok(numbers.collect());
    };
    ensure_few(excluded.count())?;
    Ok(excluded.all_numbers().filter_map(|numbers| set.index_of(numbers)).collect())
}

/// Finds the comparison, such as `>=`, in a condition. Returns `None` if `text` is not a condition.
fn comparison(text: &str) -> Option<(&'static str, Comparison)> {
    COMPARISONS.into_iter().find(|(symbol, _)| text.contains(symbol))
}

fn ensure_few(count: u64) -> Result<()> {
    ensure!(count <= MAX_EXCLUDED, "{count} starts, expected at most {MAX_EXCLUDED}; draw from another set");
    Ok(())
}
