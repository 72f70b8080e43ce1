//! What a sweep says of its set as a whole.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::results::Row;
use crate::chess::startpos::{CHESS960_COUNT, ORTHODOX, StartSet};
use crate::util::mean;

/// Figures of a sweep; scores in pawns for White.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub positions: usize,
    /// Mean score.
    #[serde(serialize_with = "rounded")]
    pub mean: f64,
    /// Standard deviation of the scores.
    #[serde(serialize_with = "rounded")]
    pub deviation: f64,
    /// The worst for White: number and score.
    pub lowest: (u64, f64),
    /// The best for White: number and score.
    pub highest: (u64, f64),
    /// Share of positions within two deviations of the mean, 0 to 1.
    #[serde(serialize_with = "rounded")]
    pub within_two_deviations: f64,
    /// What a whole Chess960 sweep has besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<Chess960>,
}

/// No more digits than mean something.
fn rounded<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((10_000.0 * value).round() / 10_000.0)
}

/// Figures of all 960.
#[derive(Clone, Debug, Serialize)]
pub struct Chess960 {
    /// The orthodox start's score.
    pub orthodox: f64,
    /// Its rank among the 960, from the best for White on.
    pub orthodox_rank: usize,
    /// Mean of the 90 in which the king and both rooks stand at home.
    #[serde(serialize_with = "rounded")]
    pub chess90: f64,
    /// Mean of the other 870.
    #[serde(serialize_with = "rounded")]
    pub chess870: f64,
}

/// The same figures by Stockfish 9 on the server Sesse (Steinar H. Gunderson, 2018), as published.
const SESSE: [(&str, &str); 8] = [
    ("mean", "0.18"),
    ("deviation", "0.0955"),
    ("lowest", "0.00"),
    ("highest", "0.57 (SP 80)"),
    ("within two deviations", ""),
    ("orthodox start, SP 518", "0.22"),
    ("Chess90 mean", "0.1913"),
    ("other 870 mean", "0.1790"),
];

impl Summary {
    /// The figures of `rows`; none without rows.
    pub fn of(rows: &[Row]) -> Option<Self> {
        let lowest = rows.iter().min_by_key(|row| row.score)?;
        let highest = rows.iter().max_by_key(|row| (row.score, std::cmp::Reverse(row.number)))?;
        let scores: Vec<f64> = rows.iter().map(score).collect();
        let average = mean(&scores);
        let deviation =
            (scores.iter().map(|score| (score - average).powi(2)).sum::<f64>() / scores.len() as f64).sqrt();
        let within = scores.iter().filter(|&&score| (score - average).abs() <= 2.0 * deviation).count();
        Some(Self {
            positions: rows.len(),
            mean: average,
            deviation,
            lowest: (lowest.number, score(lowest)),
            highest: (highest.number, score(highest)),
            within_two_deviations: within as f64 / rows.len() as f64,
            chess960: Chess960::of(rows),
        })
    }

    /// The table that people read, beside Sesse's figures where they compare.
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
        let compares = self.chess960.is_some();
        let mut text = format!("{} positions; pawns, for White\n", self.positions);
        if compares {
            let _ = writeln!(text, "{:<24} {:<24} Stockfish 9 (Sesse)", "", "here");
        }
        for ((name, sesse), own) in SESSE.iter().zip(own) {
            let sesse = if compares { sesse } else { "" };
            let _ = writeln!(text, "{}", format!("{name:<24} {own:<24} {sesse}").trim_end());
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
        let mean_of = |rows: Vec<&Row>| mean(&rows.into_iter().map(score).collect::<Vec<_>>());
        Some(Self {
            orthodox: score(orthodox),
            orthodox_rank: 1 + rows.iter().filter(|row| row.score > orthodox.score).count(),
            chess90: mean_of(in_90),
            chess870: mean_of(in_870),
        })
    }
}

fn score(row: &Row) -> f64 {
    f64::from(row.score) / 100.0
}
