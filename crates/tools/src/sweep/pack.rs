//! `sweep pack` makes the atlas that is built into the program.

use std::io::Read;
use std::path::Path;

use anyhow::{Result, ensure};
use flate2::Compression;
use flate2::read::GzEncoder;

use super::manifest::SweepManifest;
use super::rows::{DifficultyRow, Samples};
use enroque::terminal::print_line;
use enroque_runs::files::{self, AtPath};
use enroque_runs::rows;
use enroque_study::atlas::{Atlas, AtlasEntry};

/// The packed atlas may have at most this many bytes, because every copy of the program contains it.
const MAX_SIZE: usize = 40 * 1024;
/// Every gzip file begins with these bytes.
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b, 8];

/// Averages the searches of a start.
fn entry(row: &DifficultyRow) -> AtlasEntry {
    let rounded = |value: f64, scale: f64, unit: f64| (value / scale * unit).round() / unit;
    let mean = |samples: &Samples, scale, unit| rounded(samples.mean().unwrap_or_default(), scale, unit);
    let error = |samples: &Samples, scale, unit| Some(rounded(samples.error()?, scale, unit));
    let ply = |samples: &Samples| Some(rounded(samples.mean()?, 1.0, 10.0));
    AtlasEntry {
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

/// Returns the bytes of an atlas, from which [`Atlas::unpack`] reads the same atlas.
fn packed(atlas: &Atlas) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(format!("{}\n", atlas.origin).into_bytes());
    for entry in &atlas.entries {
        writer.serialize(entry)?;
    }
    let text = writer.into_inner().map_err(|error| error.into_error())?;
    let mut packed = Vec::new();
    GzEncoder::new(&text[..], Compression::best()).read_to_end(&mut packed)?;
    Ok(packed)
}

/// Packs the results of a complete sweep of Chess960 with `--difficulty`.
pub fn pack(results: &Path, file: &Path) -> Result<()> {
    let origin = SweepManifest::read_kind(results, true)?.origin();
    let rows: Vec<DifficultyRow> = rows::read(results)?;
    let atlas = Atlas { origin, entries: rows.iter().map(entry).collect() };
    let bytes = packed(&atlas).at(file)?;
    let is_double = rows.iter().any(|row| row.white != row.black);
    ensure!(
        !is_double && Atlas::unpack(&bytes).is_some_and(|again| again == atlas),
        "{}: expected all 960 positions of Chess960, made by --difficulty",
        results.display()
    );
    let (name, size) = (file.display(), bytes.len());
    ensure!(size <= MAX_SIZE, "{name}: {size} bytes, expected at most {MAX_SIZE}");
    files::ensure_overwritable(file, |old| old.starts_with(GZIP_MAGIC)).at(file)?;
    files::replace(file, &bytes).at(file)?;
    Ok(print_line(&format!("{name}: {} starts in {size} bytes", atlas.entries.len()))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enroque::chess::startpos::CHESS960_COUNT;
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
        let origin = "set chess960, a test".to_owned();
        let mut atlas = Atlas { origin, entries: rows.iter().map(entry).collect() };
        let bytes = packed(&atlas).unwrap();
        assert!(bytes.len() < MAX_SIZE && bytes.starts_with(GZIP_MAGIC), "{}", bytes.len());
        assert!(Atlas::unpack(&bytes).unwrap() == atlas);
        let sp_518 = atlas.entry(518).unwrap();
        assert!(sp_518.number == 518 && sp_518.black_castles.is_none());
        assert!((sp_518.score * 100.0 - rows[518].score.mean().unwrap()).abs() <= 0.5 + 1e-9);
        atlas.entries.remove(0);
        assert!(Atlas::unpack(&packed(&atlas).unwrap()).is_none());
    }
}
