//! Summary statistics of a sweep.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::rows::PlainRow;
use enroque::chess::startpos::{CHESS960_COUNT, ORTHODOX, StartSet};
use enroque::util::mean;

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
    /// How many positions lie within two standard deviations of the mean.
    pub within_two_deviations_count: usize,
    /// `None` unless the sweep covers all of Chess960.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<Chess960>,
}

/// Serializes a value rounded to four decimals.
fn rounded<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    const PRECISION: f64 = 10_000.0;
    serializer.serialize_f64((PRECISION * value).round() / PRECISION)
}

/// Statistics that need all 960 positions.
#[derive(Clone, Debug, Serialize)]
pub struct Chess960 {
    /// Score of the orthodox start position.
    pub orthodox: f64,
    /// Rank of the orthodox start among the 960; 1 is best for White.
    pub orthodox_rank: usize,
    /// By how much the mean of all scores exceeds the score of the orthodox start.
    #[serde(serialize_with = "rounded")]
    pub mean_to_orthodox: f64,
    /// Mean score of the 18 positions with king and rooks on their orthodox squares, the set chess18.
    #[serde(serialize_with = "rounded")]
    pub chess18: f64,
    /// Mean score of the 90 positions where one rook keeps the king from castling with the other, the set chess90.
    #[serde(serialize_with = "rounded")]
    pub chess90: f64,
    /// Mean score of the 870 positions outside chess90, the set chess870.
    #[serde(serialize_with = "rounded")]
    pub chess870: f64,
}

/// Names of the statistics, and the values published for Stockfish 9 by Steinar H. Gunderson's server Sesse in 2018.
///
/// We computed "mean minus orthodox" from the published values. They are for Chess960's castling, so we show them only
/// for the set [`REFERENCE_SET`].
pub const REFERENCE: [(&str, &str); 10] = [
    ("mean", "0.18"),
    ("deviation", "0.0955"),
    ("lowest", "0.00"),
    ("highest", "0.57 (SP 80)"),
    ("within two deviations", "96.1 % (923)"),
    ("orthodox start, SP 518", "0.22"),
    ("mean minus orthodox", "-0.04"),
    ("Chess18 mean", ""),
    ("Chess90 mean", "0.1913"),
    ("other 870 mean", "0.1790"),
];

pub const REFERENCE_SET: &str = "chess960";

/// Explanation that we print below the table.
pub const SETS: &str = "Chess18: king and rooks on their orthodox squares. Chess90: one rook blocks the castling with the \
     other.";

/// We count the positions within this many standard deviations of the mean.
const BAND: f64 = 2.0;

impl Summary {
    /// Returns `None` if there are no rows.
    pub fn of(rows: &[PlainRow]) -> Option<Self> {
        let lowest = rows.iter().min_by_key(|row| row.score)?;
        let highest = rows.iter().max_by_key(|row| (row.score, std::cmp::Reverse(row.number)))?;
        let scores: Vec<f64> = rows.iter().map(PlainRow::pawns).collect();
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
            within_two_deviations_count: within,
            chess960: Chess960::of(rows),
        })
    }

    /// Returns the table to print. For a complete sweep of the set [`REFERENCE_SET`] it includes the reference values.
    /// `name_of` returns the name of a position, given its number in the set.
    pub fn table(&self, set: &str, name_of: impl Fn(u64) -> String) -> String {
        let of_position = |(number, pawns): (u64, f64)| format!("{pawns:.2} ({})", name_of(number));
        let mut own = vec![
            format!("{:.4}", self.mean),
            format!("{:.4}", self.deviation),
            of_position(self.lowest),
            of_position(self.highest),
            format!("{:.1} % ({})", 100.0 * self.within_two_deviations, self.within_two_deviations_count),
        ];
        if let Some(figures) = &self.chess960 {
            own.push(format!("{:.2} (rank {} of 960)", figures.orthodox, figures.orthodox_rank));
            own.push(format!("{:+.4}", figures.mean_to_orthodox));
            own.push(format!("{:.4}", figures.chess18));
            own.push(format!("{:.4}", figures.chess90));
            own.push(format!("{:.4}", figures.chess870));
        }
        let is_comparable = self.chess960.is_some() && set == REFERENCE_SET;
        let mut text = format!("{} positions; scores in pawns for White\n", self.positions);
        if is_comparable {
            let _ = writeln!(text, "{:<24} {:<24} Stockfish 9 (Sesse)", "", "Enroque");
        }
        for ((name, reference), own) in REFERENCE.iter().zip(own) {
            let reference = if is_comparable { reference } else { "" };
            let _ = writeln!(text, "{}", format!("{name:<24} {own:<24} {reference}").trim_end());
        }
        if self.chess960.is_some() {
            text += SETS;
        }
        text.trim_end().to_owned()
    }
}

impl Chess960 {
    fn of(rows: &[PlainRow]) -> Option<Self> {
        let numbers: HashSet<u32> =
            rows.iter().filter(|row| row.white == row.black).map(|row| row.white).collect();
        if rows.len() != CHESS960_COUNT as usize || numbers.len() != rows.len() {
            return None;
        }
        let orthodox = rows.iter().find(|row| row.white == ORTHODOX)?;
        let mean_of = |set: &str| -> Option<f64> {
            let ranks = StartSet::by_name(set)?.ranks();
            let members = rows.iter().filter(|row| ranks.binary_search(&row.white).is_ok());
            Some(mean(&members.map(PlainRow::pawns).collect::<Vec<_>>()))
        };
        Some(Self {
            orthodox: orthodox.pawns(),
            orthodox_rank: 1 + rows.iter().filter(|row| row.score > orthodox.score).count(),
            mean_to_orthodox: mean_of("chess960")? - orthodox.pawns(),
            chess18: mean_of("chess18")?,
            chess90: mean_of("chess90")?,
            chess870: mean_of("chess870")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::{back_rank, castling_needs_other_rook};

    fn row(number: u32, score: i32) -> PlainRow {
        PlainRow { number: u64::from(number), white: number, black: number, score, ..PlainRow::default() }
    }

    #[test]
    fn summary_separates_sets() {
        // As in Sesse's sweep, 923 positions are near the mean and 37 far from it. Starts in the set chess90 score ten
        // centipawns more.
        let score = |number: u32| {
            let far = if number >= 923 { 200 } else { 0 };
            let blocked = back_rank(number).is_some_and(|rank| castling_needs_other_rook(&rank));
            far + if blocked { 10 } else { 0 } + if number == ORTHODOX { 30 } else { 0 }
        };
        let rows: Vec<PlainRow> = (0..CHESS960_COUNT).map(|number| row(number, score(number))).collect();
        let summary = Summary::of(&rows).unwrap();
        assert_eq!(summary.within_two_deviations_count, 923);
        let figures = summary.chess960.clone().unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        close(figures.mean_to_orthodox, summary.mean - 0.3);
        // Of the eighteen starts in chess18, only the orthodox one has a score other than 0.
        close(figures.chess18, 0.3 / 18.0);
        close(summary.mean, (90.0 * figures.chess90 + 870.0 * figures.chess870) / 960.0);
        let table = |set| summary.table(set, |number| number.to_string());
        for expected in ["96.1 % (923)", "Chess18 mean", SETS] {
            assert!(table("chess960").contains(expected) && table("chess480").contains(expected));
        }
        let has_reference = |set| table(set).contains("Stockfish 9") && table(set).contains("0.57 (SP 80)");
        assert!(has_reference("chess960") && !table("chess480").contains("Stockfish"));
        assert!(!table("chess480").contains("0.57 (SP 80)"));
        assert!(Summary::of(&rows[1..]).unwrap().chess960.is_none());
    }
}
