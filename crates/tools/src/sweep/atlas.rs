//! The atlas: how difficult each of the 960 starts is. The program carries it as a CSV file, compressed with gzip,
//! whose first line says how the figures were made.

use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context as _, Result, ensure};
use flate2::Compression;
use flate2::read::{GzEncoder, MultiGzDecoder};
use serde::{Deserialize, Serialize};

use super::figures::{DifficultyRow, Samples};
use super::record::Record;
use enroque::chess::startpos::CHESS960_COUNT;
use enroque::terminal::print_line;
use enroque_runs::{files, rows};

/// The atlas that this program was built with, as `sweep pack` writes it.
const SHIPPED: &[u8] = include_bytes!("atlas.csv.gz");
/// The packed atlas may have at most this many bytes, because every copy of the program contains it.
const MAX_SIZE: usize = 40 * 1024;
/// Every gzip file begins with these bytes.
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b, 8];

/// How difficult a start is. `_error` fields are standard errors over the searches, `None` if there was only one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
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

impl Entry {
    fn new(row: &DifficultyRow) -> Self {
        let rounded = |value: f64, scale: f64, unit: f64| (value / scale * unit).round() / unit;
        let mean = |samples: &Samples, scale, unit| rounded(samples.mean().unwrap_or_default(), scale, unit);
        let error = |samples: &Samples, scale, unit| Some(rounded(samples.error()?, scale, unit));
        let ply = |samples: &Samples| Some(rounded(samples.mean()?, 1.0, 10.0));
        Self {
            number: row.white,
            score: mean(&row.score, 100.0, 100.0),
            score_error: error(&row.score, 100.0, 100.0),
            win: mean(&row.win, 10.0, 10.0),
            draw: mean(&row.draw, 10.0, 10.0),
            loss: mean(&row.loss, 10.0, 10.0),
            draw_error: error(&row.draw, 10.0, 10.0),
            good: mean(&row.good, 1.0, 10.0),
            good_error: error(&row.good, 1.0, 10.0),
            settled: mean(&row.settled, 1.0, 10.0),
            settled_error: error(&row.settled, 1.0, 10.0),
            white_castles: ply(&row.white_castles),
            black_castles: ply(&row.black_castles),
        }
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
    entries: Vec<Entry>,
}

impl Atlas {
    /// Returns the built-in atlas, which the first call unpacks.
    #[expect(clippy::expect_used, reason = "the file is built in, and a test unpacks it")]
    pub fn shipped() -> &'static Self {
        static ATLAS: OnceLock<Atlas> = OnceLock::new();
        ATLAS.get_or_init(|| Self::unpack(SHIPPED).expect("a whole atlas"))
    }

    pub fn entry(&self, number: u32) -> Option<&Entry> {
        self.entries.get(number as usize)
    }

    /// Returns `None` unless the rows are all 960 starts in order.
    fn new(origin: String, rows: &[DifficultyRow]) -> Option<Self> {
        let entries: Vec<Entry> = rows.iter().map(Entry::new).collect();
        let is_complete = rows.iter().all(|row| row.white == row.black)
            && entries.iter().map(|entry| entry.number).eq(0..CHESS960_COUNT);
        is_complete.then_some(Self { origin, entries })
    }

    fn pack(&self) -> std::io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(format!("{}\n", self.origin).into_bytes());
        for entry in &self.entries {
            writer.serialize(entry).map_err(std::io::Error::other)?;
        }
        let text = writer.into_inner().map_err(|error| error.into_error())?;
        let mut packed = Vec::new();
        GzEncoder::new(&text[..], Compression::best()).read_to_end(&mut packed)?;
        Ok(packed)
    }

    /// Returns `None` if the bytes are empty or damaged.
    fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut text = String::new();
        MultiGzDecoder::new(bytes).read_to_string(&mut text).ok()?;
        let (origin, rows) = text.split_once('\n')?;
        let entries =
            csv::Reader::from_reader(rows.as_bytes()).deserialize().collect::<Result<_, _>>().ok()?;
        Some(Self { origin: origin.to_owned(), entries })
    }
}

/// Packs the results of a complete sweep of Chess960 with `--difficulty`.
pub fn pack(results: &Path, file: &Path) -> Result<()> {
    let record = Record::read_kind(results, true)?;
    let rows: Vec<DifficultyRow> = rows::read(results)?;
    let atlas = Atlas::new(record.origin(), &rows).with_context(|| {
        format!("{}: expected all 960 positions of Chess960, made by --difficulty", results.display())
    })?;
    let name = file.display();
    let bytes = atlas.pack().with_context(|| name.to_string())?;
    let size = bytes.len();
    ensure!(size <= MAX_SIZE, "{name}: {size} bytes, expected at most {MAX_SIZE}");
    files::ensure_overwritable(file, |old| old.starts_with(GZIP_MAGIC))
        .and_then(|()| files::replace(file, &bytes))
        .with_context(|| name.to_string())?;
    Ok(print_line(&format!("{name}: {} starts in {size} bytes", atlas.entries.len()))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::util::random::Random;

    fn row(number: u32, random: &mut Random) -> DifficultyRow {
        let mut samples = |low: u64, size: u64| {
            let value = low + random.below(size);
            Samples((0..3).map(|_| (value + random.below(8)) as f64).collect())
        };
        DifficultyRow {
            number: u64::from(number),
            white: number,
            black: number,
            depth: samples(15, 3),
            score: samples(0, 60),
            win: samples(200, 200),
            draw: samples(300, 200),
            loss: samples(100, 200),
            good: samples(1, 8),
            settled: samples(1, 20),
            white_castles: samples(5, 20),
            ..DifficultyRow::default()
        }
    }

    #[test]
    fn packed_atlas_is_small_and_complete() {
        let mut random = Random::new(3);
        let rows: Vec<DifficultyRow> = (0..CHESS960_COUNT).map(|number| row(number, &mut random)).collect();
        let atlas = Atlas::new("set chess960, a test".to_owned(), &rows).unwrap();
        let bytes = atlas.pack().unwrap();
        assert!(bytes.len() < MAX_SIZE && bytes.starts_with(GZIP_MAGIC), "{}", bytes.len());
        let loaded = Atlas::unpack(&bytes).unwrap();
        assert_eq!(loaded, atlas);
        let entry = loaded.entry(518).unwrap();
        assert!(entry.number == 518 && entry.black_castles.is_none() && loaded.entry(960).is_none());
        assert!((entry.score * 100.0 - rows[518].score.mean().unwrap()).abs() <= 0.5 + 1e-9);
        assert!(entry.lines().iter().any(|(name, value)| *name == "Score" && value.contains(" ± ")));
        assert!(Atlas::new(String::new(), &rows[1..]).is_none() && Atlas::unpack(&bytes[1..]).is_none());
    }

    #[test]
    fn shipped_file_is_whole() {
        assert!(SHIPPED.len() <= MAX_SIZE);
        assert!(Atlas::shipped().entries.iter().map(|entry| entry.number).eq(0..CHESS960_COUNT));
    }
}
