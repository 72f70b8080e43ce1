//! The results of a sweep: a row for each start, in CSV.

use std::collections::HashSet;

use anyhow::{Result, ensure};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use enroque::chess::FenStyle;
use enroque::chess::startpos::StartSet;
use enroque::util::mean;
use enroque_runs::rows::{Encoding, Row};

/// A good move is at most this many centipawns worse than the best.
pub const GOOD_MARGIN: i32 = 20;
/// A score has settled when it stays within this many centipawns of the final score.
pub const SETTLED_MARGIN: i32 = 10;

/// A row of the results of a sweep. Sweeps with and without `--difficulty` have different kinds of rows.
pub trait SweepRow: Row + Clone + Send {
    /// The template of the HTML page that shows such rows.
    const TEMPLATE: &'static str;

    /// The number of the position in its set.
    fn number(&self) -> u64;

    /// The position in X-FEN.
    fn fen(&self) -> &str;

    /// Returns the row in the form of a sweep without `--difficulty`.
    fn plain(&self) -> PlainRow;

    /// Returns the rows if they are those of a sweep with `--difficulty`.
    fn with_difficulty(rows: &[Self]) -> Option<&[DifficultyRow]>;
}

/// Fails unless `row` has the FEN of its number, which must be `expected`. A forged FEN could show a wrong board, or
/// bring markup into a page.
pub fn ensure_position(row: &impl SweepRow, set: &StartSet, expected: &HashSet<u64>) -> Result<()> {
    let board = set.position(row.number()).filter(|_| expected.contains(&row.number()));
    let is_position = board.is_some_and(|board| board.fen(FenStyle::XFen) == row.fen());
    ensure!(is_position, "not a position of this sweep; the file is left as it is");
    Ok(())
}

/// The result for one start. Score and chances are for White, the side to move.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct PlainRow {
    /// Number in the set.
    pub number: u64,
    /// Number of White's back rank; if it is below 960, the Chess960 number.
    pub white: u32,
    /// Number of Black's back rank, in the same numbering as `white`.
    pub black: u32,
    /// Letters of White's back rank and, if it differs, Black's.
    pub pieces: String,
    /// The position in X-FEN.
    pub fen: String,
    /// Depth of the last complete iteration in plies.
    pub depth: i32,
    /// Score for White in centipawns.
    pub score: i32,
    /// White's chances to win, draw and lose, in thousandths.
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
    pub nodes: u64,
    /// Principal variation in algebraic notation.
    pub line: String,
}

impl Row for PlainRow {
    const ENCODING: Encoding =
        Encoding::Csv { header: "number,white,black,pieces,fen,depth,score,win,draw,loss,nodes,line\n" };
}

impl SweepRow for PlainRow {
    const TEMPLATE: &'static str = include_str!("page.html");

    fn number(&self) -> u64 {
        self.number
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn plain(&self) -> PlainRow {
        self.clone()
    }

    fn with_difficulty(_: &[Self]) -> Option<&[DifficultyRow]> {
        None
    }
}

impl PlainRow {
    /// White's score in pawns.
    pub fn pawns(&self) -> f64 {
        f64::from(self.score) / 100.0
    }
}

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

    fn with_difficulty(rows: &[Self]) -> Option<&[DifficultyRow]> {
        Some(rows)
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
}
