//! Statistics of the figures that `sweep --difficulty` measures, over all positions.

use serde::Serialize;
use serde_json::{Value, json};

use super::rows::{DifficultyRow, Samples};
use enroque::util::mean;

/// Returns the statistics of all figures as a table to print and as JSON.
pub fn summary(rows: &[DifficultyRow]) -> (String, Value) {
    let statistics: Vec<Statistics> = FIGURES.iter().filter_map(|figure| figure.statistics(rows)).collect();
    (table(&statistics), json!(statistics))
}

/// Returns Spearman's rank correlation, in which equal values share their mean rank. Returns `None` for fewer than two
/// pairs, or if all first or all second values are equal.
fn rank_agreement(pairs: &[(f64, f64)]) -> Option<f64> {
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (a, b) = (ranks(&a), ranks(&b));
    let (mean_a, mean_b) = (mean(&a), mean(&b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(&b).map(|(a, b)| f(a - mean_a, b - mean_b)).sum()
    };
    let spread = (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    (spread > 0.0).then(|| sum(&|a, b| a * b) / spread)
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let first = order.partition_point(|&index| values[index] < values[tied[0]]);
        let rank = first as f64 + (tied.len() as f64 - 1.0) / 2.0;
        tied.iter().for_each(|&index| ranks[index] = rank);
    }
    ranks
}

/// Minimum width of the columns for the lowest and the highest value, such as `0.57 (80)`.
const POSITION_WIDTH: usize = 13;

/// A row of the printed table, and how to compute its values from the samples.
struct Figure {
    /// Name of the CSV column in the results file.
    key: &'static str,
    name: &'static str,
    samples: fn(&DifficultyRow) -> &Samples,
    /// We divide the samples by this number: 100 turns centipawns into pawns, 2 turns plies into moves.
    scale: f64,
    /// We add this number after dividing by `scale`.
    offset: f64,
    decimals: usize,
}

/// The rows of the printed table, from top to bottom.
const FIGURES: [Figure; 8] = [
    Figure::new("score", "score for White, pawns", |row| &row.score, 100.0, 2),
    Figure::new("win", "win for White, %", |row| &row.win, 10.0, 1),
    Figure::new("draw", "draw, %", |row| &row.draw, 10.0, 1),
    Figure::new("loss", "win for Black, %", |row| &row.loss, 10.0, 1),
    Figure::new("good", "good moves", |row| &row.good, 1.0, 1),
    Figure::new("settled", "settled at depth", |row| &row.settled, 1.0, 1),
    // White's plies 1 and 3 are moves 1 and 2, so we add 0.5 to the halved ply.
    Figure {
        offset: 0.5,
        ..Figure::new("white_castles", "White castles at move", |row| &row.white_castles, 2.0, 1)
    },
    Figure::new("black_castles", "Black castles at move", |row| &row.black_castles, 2.0, 1),
];

/// Statistics of one figure over all positions that have a value for it.
#[derive(Serialize)]
struct Statistics {
    key: &'static str,
    name: &'static str,
    #[serde(skip)]
    decimals: usize,
    /// How many positions have a value for the figure.
    positions: usize,
    mean: f64,
    /// Number of the position with the lowest value, and that value. `highest` has the same form.
    lowest: (u64, f64),
    highest: (u64, f64),
    /// Standard error of a position's value, averaged over the positions; `None` if each position was searched only
    /// once.
    error: Option<f64>,
    /// Spearman's rank correlation between the values of the first two searches.
    rank_agreement: Option<f64>,
}

impl Figure {
    const fn new(
        key: &'static str,
        name: &'static str,
        samples: fn(&DifficultyRow) -> &Samples,
        scale: f64,
        decimals: usize,
    ) -> Self {
        Self { key, name, samples, scale, offset: 0.0, decimals }
    }

    /// Returns `None` if no row has a value for this figure.
    fn statistics(&self, rows: &[DifficultyRow]) -> Option<Statistics> {
        let samples = || rows.iter().map(|row| (row.number, (self.samples)(row)));
        let values = samples()
            .filter_map(|(number, samples)| Some((number, samples.mean()? / self.scale + self.offset)));
        let values: Vec<(u64, f64)> = values.collect();
        let errors: Vec<f64> =
            samples().filter_map(|(_, samples)| Some(samples.error()? / self.scale)).collect();
        let pairs = samples().filter_map(|(_, samples)| match samples.0[..] {
            [first, second, ..] => Some((first, second)),
            _ => None,
        });
        let pairs: Vec<(f64, f64)> = pairs.collect();
        Some(Statistics {
            key: self.key,
            name: self.name,
            decimals: self.decimals,
            positions: values.len(),
            mean: mean(&values.iter().map(|&(_, value)| value).collect::<Vec<_>>()),
            lowest: *values.iter().min_by(|a, b| a.1.total_cmp(&b.1))?,
            highest: *values.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?,
            error: (!errors.is_empty()).then(|| mean(&errors)),
            rank_agreement: rank_agreement(&pairs),
        })
    }
}

fn table(statistics: &[Statistics]) -> String {
    let header = ["", "mean", "lowest (no.)", "highest (no.)", "error", "ranks"].map(str::to_owned);
    let cells = statistics.iter().map(|figure| {
        let decimals = figure.decimals;
        let of_position = |(number, value): (u64, f64)| format!("{value:.decimals$} ({number})");
        let optional = |value: Option<f64>, decimals: usize| {
            value.map_or_else(String::new, |value| format!("{value:.decimals$}"))
        };
        [
            figure.name.to_owned(),
            format!("{:.*}", decimals + 1, figure.mean),
            of_position(figure.lowest),
            of_position(figure.highest),
            optional(figure.error, decimals + 1),
            optional(figure.rank_agreement, 2),
        ]
    });
    let lines: Vec<[String; 6]> = std::iter::once(header).chain(cells).collect();
    let width = lines.iter().flat_map(|cells| &cells[2..4]).map(String::len).fold(POSITION_WIDTH, usize::max);
    let line = |[name, mean, lowest, highest, error, agreement]: &[String; 6]| {
        let line =
            format!("{name:<22} {mean:>7}  {lowest:<width$}  {highest:<width$}  {error:>6}  {agreement:>5}");
        line.trim_end().to_owned()
    };
    let note = "Numbers are those of the set. error: standard error of one start over its searches; ranks: rank \
                agreement of the first two searches, 1 if they order the starts alike.";
    lines.iter().map(line).collect::<Vec<_>>().join("\n") + "\n" + note
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_agreement_of_known_pairs() {
        let agreement = |a: &[f64], b: &[f64]| {
            rank_agreement(&a.iter().copied().zip(b.iter().copied()).collect::<Vec<_>>())
        };
        assert_eq!(agreement(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0]), Some(1.0));
        assert_eq!(agreement(&[1.0, 2.0, 3.0], &[9.0, 4.0, -1.0]), Some(-1.0));
        // Spearman's formula 1 − 6·Σd²/(n·(n²−1)) gives 1 − 24/120 for the rank differences 1, 1, 0, 1, 1.
        let found = agreement(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 1.0, 3.0, 6.0, 4.0]);
        assert!(found.is_some_and(|found| (found - 0.8).abs() < 1e-12), "{found:?}");
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [1.5, 0.0, 1.5, 3.0]);
        assert_eq!(agreement(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(rank_agreement(&[]), None);
    }
}
