//! The figures that `sweep --difficulty` measures: one sample for each search, and statistics over all positions.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use super::results::{PlainRow, SweepRow};
use enroque::util::mean;
use enroque_runs::rows::{Encoding, Row};

/// A good move is at most this many centipawns worse than the best.
pub const GOOD_MARGIN: i32 = 20;
/// A score has settled when it stays within this many centipawns of the final score.
pub const SETTLED_MARGIN: i32 = 10;

/// How difficult one start is. The first five columns are the same as in a sweep without `--difficulty`. Most others
/// have one value per search.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct DifficultyRow {
    pub number: u64,
    pub white: u32,
    pub black: u32,
    pub pieces: String,
    pub fen: String,
    /// Depth of the last complete iteration in plies.
    pub depth: Samples,
    /// Score for White in centipawns.
    pub score: Samples,
    /// White's chances to win, draw and lose, in thousandths.
    pub win: Samples,
    pub draw: Samples,
    pub loss: Samples,
    /// How many moves are at most [`GOOD_MARGIN`] worse than the best; limited by the number of MultiPV lines.
    pub good: Samples,
    /// Depth at which the score settles: from there on, it stays within [`SETTLED_MARGIN`] of the final score.
    pub settled: Samples,
    /// Mean ply at which White castles in the lines of the good moves. A search in which White never castles adds no
    /// value.
    pub white_castles: Samples,
    /// Like `white_castles`, for Black.
    pub black_castles: Samples,
    /// Scores at depths 1, 2, 3 and so on in the first search, in centipawns for White.
    pub curve: Samples,
    /// Nodes of all searches together.
    pub nodes: u64,
    /// Principal variation of the first search in algebraic notation.
    pub line: String,
}

impl Row for DifficultyRow {
    const ENCODING: Encoding = Encoding::Csv {
        header: "number,white,black,pieces,fen,depth,score,win,draw,loss,good,settled,white_castles,black_castles,\
                 curve,nodes,line\n",
    };
}

impl SweepRow for DifficultyRow {
    const TEMPLATE: &'static str = include_str!("difficulty.html");

    fn number(&self) -> u64 {
        self.number
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn plain(&self) -> PlainRow {
        let rounded = |samples: &Samples| samples.mean().unwrap_or_default().round();
        PlainRow {
            number: self.number,
            white: self.white,
            black: self.black,
            pieces: self.pieces.clone(),
            fen: self.fen.clone(),
            depth: rounded(&self.depth) as i32,
            score: rounded(&self.score) as i32,
            win: rounded(&self.win) as u32,
            draw: rounded(&self.draw) as u32,
            loss: rounded(&self.loss) as u32,
            nodes: self.nodes,
            line: self.line.clone(),
        }
    }

    fn further(rows: &[Self]) -> Option<(String, Value)> {
        let statistics: Vec<Statistics> =
            FIGURES.iter().filter_map(|figure| figure.statistics(rows)).collect();
        Some((table(&statistics), json!(statistics)))
    }
}

/// The values of one figure for one start, in the order of the searches. In a CSV file, spaces separate them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Samples(pub Vec<f64>);

impl Samples {
    /// Returns `None` if there are no values.
    pub fn mean(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| mean(&self.0))
    }

    /// Returns the standard error of the mean; `None` for fewer than two values.
    pub fn error(&self) -> Option<f64> {
        let (average, count) = (self.mean()?, self.0.len() as f64);
        let squares: f64 = self.0.iter().map(|value| (value - average).powi(2)).sum();
        (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt())
    }
}

impl Serialize for Samples {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words: Vec<String> = self.0.iter().map(f64::to_string).collect();
        serializer.serialize_str(&words.join(" "))
    }
}

impl<'de> Deserialize<'de> for Samples {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = |word: &str| {
            let value = word.parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or_else(|| D::Error::custom(format!("expected numbers, found '{word}'")))
        };
        text.split_whitespace().map(number).collect::<Result<_, _>>().map(Self)
    }
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
    fn mean_and_error_of_samples() {
        let samples = Samples(vec![2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(samples.mean(), Some(5.0));
        // The squared deviations from the mean add up to 32, so the variance is 32/7 and the standard error √(32/7/8).
        assert!((samples.error().unwrap() - (32.0_f64 / 56.0).sqrt()).abs() < 1e-12);
        assert_eq!((Samples(vec![3.0]).error(), Samples::default().mean()), (None, None));
    }

    #[test]
    fn text_survives_round_trip() {
        for (values, text) in [(vec![], "\"\""), (vec![23.0, -4.5, 0.0], "\"23 -4.5 0\"")] {
            let samples = Samples(values);
            assert_eq!(serde_json::to_string(&samples).unwrap(), text);
            assert_eq!(serde_json::from_str::<Samples>(text).unwrap(), samples);
        }
        assert!(serde_json::from_str::<Samples>("\"1 x\"").is_err());
        assert!(serde_json::from_str::<Samples>("\"inf\"").is_err());
    }

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
