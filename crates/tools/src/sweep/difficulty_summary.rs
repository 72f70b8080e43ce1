//! Summary of the difficulty of many start positions.

use serde::Serialize;

use super::difficulty::Row;
use super::samples::{Samples, rank_agreement};
use enroque::util::mean;

/// Width of a value with the name of its position; a longer name widens both columns.
const POSITION_WIDTH: usize = 18;

/// Figure of a start position with the unit of its table.
pub struct Figure {
    pub name: &'static str,
    pub samples: fn(&Row) -> &Samples,
    /// Units of the samples in one unit of the table.
    pub scale: f64,
    pub decimals: usize,
}

/// Figures of the table, in its order.
pub const FIGURES: [Figure; 8] = [
    Figure { name: "score, pawns for White", samples: |row| &row.score, scale: 100.0, decimals: 2 },
    Figure { name: "win for White, %", samples: |row| &row.win, scale: 10.0, decimals: 1 },
    Figure { name: "draw, %", samples: |row| &row.draw, scale: 10.0, decimals: 1 },
    Figure { name: "win for Black, %", samples: |row| &row.loss, scale: 10.0, decimals: 1 },
    Figure { name: "good moves", samples: |row| &row.good, scale: 1.0, decimals: 1 },
    Figure { name: "settled at depth", samples: |row| &row.settled, scale: 1.0, decimals: 1 },
    Figure { name: "White castles at ply", samples: |row| &row.white_castles, scale: 1.0, decimals: 1 },
    Figure { name: "Black castles at ply", samples: |row| &row.black_castles, scale: 1.0, decimals: 1 },
];

/// Statistics of a figure over all positions that have it.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    pub name: &'static str,
    /// Positions with the figure.
    pub positions: usize,
    pub mean: f64,
    /// Number and value of the lowest.
    pub lowest: (u64, f64),
    /// Number and value of the highest.
    pub highest: (u64, f64),
    /// Mean standard error of a position; `None` for a single search.
    pub error: Option<f64>,
    /// Spearman's rank correlation of the first two searches.
    pub rank_agreement: Option<f64>,
}

impl Figure {
    /// Returns the statistics of the figure; `None` if no row has it.
    fn statistics(&self, rows: &[Row]) -> Option<Statistics> {
        let values: Vec<(u64, f64)> = rows
            .iter()
            .filter_map(|row| Some((row.number, (self.samples)(row).mean()? / self.scale)))
            .collect();
        let errors: Vec<f64> =
            rows.iter().filter_map(|row| Some((self.samples)(row).error()? / self.scale)).collect();
        let pairs: Vec<(f64, f64)> = rows
            .iter()
            .filter_map(|row| match (self.samples)(row).0[..] {
                [first, second, ..] => Some((first, second)),
                _ => None,
            })
            .collect();
        Some(Statistics {
            name: self.name,
            positions: values.len(),
            mean: mean(&values.iter().map(|&(_, value)| value).collect::<Vec<_>>()),
            lowest: *values.iter().min_by(|a, b| a.1.total_cmp(&b.1))?,
            highest: *values.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?,
            error: (!errors.is_empty()).then(|| mean(&errors)),
            rank_agreement: rank_agreement(&pairs),
        })
    }
}

/// Returns the statistics of every figure that a row has.
pub fn of(rows: &[Row]) -> Vec<Statistics> {
    FIGURES.iter().filter_map(|figure| figure.statistics(rows)).collect()
}

/// Returns the printed table. `name_of` returns the name of a position by its number in the set.
pub fn table(rows: &[Row], name_of: impl Fn(u64) -> String) -> String {
    let header = ["", "mean", "lowest", "highest", "error", "rank agreement"].map(str::to_owned);
    let cells = FIGURES.iter().filter_map(|figure| {
        let statistics = figure.statistics(rows)?;
        let decimals = figure.decimals;
        let of_position = |(number, value): (u64, f64)| format!("{value:.decimals$} ({})", name_of(number));
        let optional = |value: Option<f64>, decimals: usize| {
            value.map_or_else(String::new, |value| format!("{value:.decimals$}"))
        };
        Some([
            statistics.name.to_owned(),
            format!("{:.*}", decimals + 1, statistics.mean),
            of_position(statistics.lowest),
            of_position(statistics.highest),
            optional(statistics.error, decimals + 1),
            optional(statistics.rank_agreement, 2),
        ])
    });
    let lines: Vec<[String; 6]> = std::iter::once(header).chain(cells).collect();
    let width =
        lines.iter().flat_map(|cells| &cells[2..4]).map(String::len).max().unwrap_or(0).max(POSITION_WIDTH);
    let line = |[name, mean, lowest, highest, error, agreement]: &[String; 6]| {
        let line =
            format!("{name:<24} {mean:>7}  {lowest:<width$} {highest:<width$} {error:>6} {agreement:>15}");
        line.trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}
