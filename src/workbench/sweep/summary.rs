//! Summary statistics of a sweep.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::results::Row;
use crate::chess::startpos::{CHESS960_COUNT, ORTHODOX, StartSet};
use crate::util::mean;

/// Statistics of the scores, in pawns for White.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub positions: usize,
    #[serde(serialize_with = "rounded")]
    pub mean: f64,
    /// Standard deviation of the scores.
    #[serde(serialize_with = "rounded")]
    pub deviation: f64,
    /// Number and score of the position worst for White.
    pub lowest: (u64, f64),
    /// Number and score of the position best for White.
    pub highest: (u64, f64),
    /// Fraction of positions within two standard deviations of the mean, 0 to 1.
    #[serde(serialize_with = "rounded")]
    pub within_two_deviations: f64,
    /// Statistics of a complete Chess960 sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<Chess960>,
}

/// Serializes a value with four decimals.
fn rounded<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    const PRECISION: f64 = 10_000.0;
    serializer.serialize_f64((PRECISION * value).round() / PRECISION)
}

/// Statistics of all 960 positions.
#[derive(Clone, Debug, Serialize)]
pub struct Chess960 {
    /// Score of the orthodox start position.
    pub orthodox: f64,
    /// Rank of that score among the 960; 1 is the best for White.
    pub orthodox_rank: usize,
    /// Mean score of the 90 positions of the set chess90.
    #[serde(serialize_with = "rounded")]
    pub chess90: f64,
    /// Mean score of the other 870.
    #[serde(serialize_with = "rounded")]
    pub chess870: f64,
}

/// Names of the statistics, with the published values of Stockfish 9 on the server Sesse (Steinar H. Gunderson, 2018).
pub const REFERENCE: [(&str, &str); 8] = [
    ("mean", "0.18"),
    ("deviation", "0.0955"),
    ("lowest", "0.00"),
    ("highest", "0.57 (SP 80)"),
    ("within two deviations", ""),
    ("orthodox start, SP 518", "0.22"),
    ("Chess90 mean", "0.1913"),
    ("other 870 mean", "0.1790"),
];

/// Half-width of the band around the mean in standard deviations.
const BAND: f64 = 2.0;

impl Summary {
    /// Returns the statistics of `rows`; `None` without rows.
    pub fn of(rows: &[Row]) -> Option<Self> {
        let lowest = rows.iter().min_by_key(|row| row.score)?;
        let highest = rows.iter().max_by_key(|row| (row.score, std::cmp::Reverse(row.number)))?;
        let scores: Vec<f64> = rows.iter().map(Row::pawns).collect();
        let average = mean(&scores);
        let deviation =
            (scores.iter().map(|score| (score - average).powi(2)).sum::<f64>() / scores.len() as f64).sqrt();
        let within = scores.iter().filter(|&&score| (score - average).abs() <= BAND * deviation).count();
        Some(Self {
            positions: rows.len(),
            mean: average,
            deviation,
            lowest: (lowest.number, lowest.pawns()),
            highest: (highest.number, highest.pawns()),
            within_two_deviations: within as f64 / rows.len() as f64,
            chess960: Chess960::of(rows),
        })
    }

    /// Returns the printed table, with the reference values beside a complete Chess960 sweep.
    pub fn table(&self) -> String {
        let mut own = vec![
            format!("{:.4}", self.mean),
            format!("{:.4}", self.deviation),
            format!("{:.2} (SP {})", self.lowest.1, self.lowest.0),
            format!("{:.2} (SP {})", self.highest.1, self.highest.0),
            format!("{:.1} %", 100.0 * self.within_two_deviations),
        ];
        if let Some(figures) = &self.chess960 {
            own.push(format!("{:.2} (rank {} of 960)", figures.orthodox, figures.orthodox_rank));
            own.push(format!("{:.4}", figures.chess90));
            own.push(format!("{:.4}", figures.chess870));
        }
        let is_comparable = self.chess960.is_some();
        let mut text = format!("{} positions; scores in pawns for White\n", self.positions);
        if is_comparable {
            let _ = writeln!(text, "{:<24} {:<24} Stockfish 9 (Sesse)", "", "Enroque");
        }
        for ((name, reference), own) in REFERENCE.iter().zip(own) {
            let reference = if is_comparable { reference } else { "" };
            let _ = writeln!(text, "{}", format!("{name:<24} {own:<24} {reference}").trim_end());
        }
        text.trim_end().to_owned()
    }
}

impl Chess960 {
    fn of(rows: &[Row]) -> Option<Self> {
        let numbers: HashSet<u32> =
            rows.iter().filter(|row| row.white == row.black).map(|row| row.white).collect();
        if rows.len() != CHESS960_COUNT as usize || numbers.len() != rows.len() {
            return None;
        }
        let orthodox = rows.iter().find(|row| row.white == ORTHODOX)?;
        let chess90: HashSet<u32> = StartSet::by_name("chess90")?.ranks().into_iter().collect();
        let (in_90, in_870): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| chess90.contains(&row.white));
        let mean_of = |rows: Vec<&Row>| mean(&rows.into_iter().map(Row::pawns).collect::<Vec<_>>());
        Some(Self {
            orthodox: orthodox.pawns(),
            orthodox_rank: 1 + rows.iter().filter(|row| row.score > orthodox.score).count(),
            chess90: mean_of(in_90),
            chess870: mean_of(in_870),
        })
    }
}
