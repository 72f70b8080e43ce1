//! The atlas: how difficult each of the 960 starts is. The program carries it as a CSV file, compressed with gzip,
//! whose first line says how the figures were made.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};

use enroque::chess::startpos::CHESS960_COUNT;

/// The atlas that this program was built with, as `enroque-tools sweep pack` writes it.
const SHIPPED: &[u8] = include_bytes!("atlas.csv.gz");

/// A player who is this many Elo ahead scores ten times as many points as the opponent.
const ELO_PER_DECADE: f64 = 400.0;
/// How many Elo twice the nodes gain in a game against ourselves: 223 to 228 in docs/experiments/strength.md.
const ELO_OF_TWICE_THE_TIME: f64 = 225.0;

/// How difficult a start is. `_error` fields are standard errors over the searches, `None` if there was only one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AtlasEntry {
    /// Chess960 number.
    pub number: u32,
    /// Score for White in pawns.
    pub score: f64,
    pub score_error: Option<f64>,
    /// Chances in per cent: White wins, a draw, Black wins.
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
    pub draw_error: Option<f64>,
    /// How many first moves of White are nearly as good as the best, averaged over the searches.
    pub good: f64,
    pub good_error: Option<f64>,
    /// Depth in plies at which the score settles and hardly changes any more, averaged over the searches.
    pub settled: f64,
    pub settled_error: Option<f64>,
    /// Ply at which White and Black castle in the lines of good moves, on average; `None` if that side never castles.
    pub white_castles: Option<f64>,
    pub black_castles: Option<f64>,
}

impl AtlasEntry {
    /// Says which times make the start fair if a draw counts as a win for Black.
    fn armageddon(&self) -> String {
        let black = (self.draw + self.loss) / self.win;
        let factor = black.log10() * ELO_PER_DECADE / ELO_OF_TWICE_THE_TIME;
        format!("if a draw wins for Black, fair with {:.0} % of White's time", 100.0 / factor.exp2())
    }

    /// Returns names and values as `startpos` prints them.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let with_error = |value: String, error: Option<f64>, decimals: usize| match error {
            Some(error) => format!("{value} ± {error:.decimals$}"),
            None => value,
        };
        let castles = |side: &str, ply: Option<f64>| match ply {
            Some(ply) => format!("{side} at about move {:.0}", (ply / 2.0).ceil()),
            None => format!("{side} in no good line"),
        };
        let castlings = [castles("White", self.white_castles), castles("Black", self.black_castles)];
        vec![
            ("Score", with_error(format!("{:+.2}", self.score), self.score_error, 2)),
            (
                "Chances",
                format!("White {:.1} %, draw {:.1} %, Black {:.1} %", self.win, self.draw, self.loss),
            ),
            ("Armageddon", self.armageddon()),
            ("Good moves", with_error(format!("{:.1}", self.good), self.good_error, 1)),
            ("Settled", with_error(format!("at depth {:.1}", self.settled), self.settled_error, 1)),
            ("Castles", castlings.join(", ")),
        ]
    }
}

/// How difficult each start is, and a sentence on where the figures come from.
#[derive(Clone, PartialEq, Debug)]
pub struct Atlas {
    pub origin: String,
    /// All 960 starts, by number.
    pub entries: Vec<AtlasEntry>,
}

impl Atlas {
    /// Returns the built-in atlas, which the first call unpacks.
    #[expect(clippy::expect_used, reason = "the file is built in, and a test unpacks it")]
    pub fn shipped() -> &'static Self {
        static ATLAS: OnceLock<Atlas> = OnceLock::new();
        ATLAS.get_or_init(|| Self::unpack(SHIPPED).expect("a whole atlas"))
    }

    /// Returns the entry of a Chess960 number; `None` from 960 on.
    pub fn entry(&self, number: u32) -> Option<&AtlasEntry> {
        self.entries.get(number as usize)
    }

    /// Reads a packed atlas. Returns `None` if the bytes are damaged, or if it hasn't all 960 starts in order.
    pub fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut text = String::new();
        MultiGzDecoder::new(bytes).read_to_string(&mut text).ok()?;
        let (origin, rows) = text.split_once('\n')?;
        let rows = csv::Reader::from_reader(rows.as_bytes()).into_deserialize();
        let entries: Vec<AtlasEntry> = rows.collect::<Result<_, _>>().ok()?;
        let is_complete = entries.iter().map(|entry| entry.number).eq(0..CHESS960_COUNT);
        is_complete.then(|| Self { origin: origin.to_owned(), entries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_atlas_is_whole() {
        let atlas = Atlas::unpack(SHIPPED).unwrap();
        assert!(atlas.entry(960).is_none() && Atlas::unpack(&SHIPPED[1..]).is_none());
        let entry = atlas.entry(518).unwrap();
        assert!(entry.lines().iter().any(|(name, value)| *name == "Score" && value.contains(" ± ")));
        // White wins 30 % and Black 70 %: 147 Elo, which 1.57 times the time makes up for.
        let entry = AtlasEntry { win: 30.0, draw: 55.0, loss: 15.0, ..entry.clone() };
        assert!(entry.armageddon().ends_with("with 64 % of White's time"), "{}", entry.armageddon());
    }
}
