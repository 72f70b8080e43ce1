//! Crash tests of `datagen`, `data merge` and `train`: a kill or a full disk at every single write step. The same command
//! must resume, and its final files must equal those of an undisturbed run.

use std::path::Path;

use clap::Parser;

use crate::data::{self, DataError, merge};
use crate::datagen;
use crate::games::tree::TreeReader;
use crate::train::{self, Hyperparameters};
use enroque::terminal::ExitStatus;
use enroque_runs::files::fault::{survives_kills, whole_file};
use enroque_runs::shard::Shard;

/// Removes the last column of the log of `train`, the speed.
fn without_seconds(path: &Path, bytes: Vec<u8>) -> Vec<u8> {
    if path.extension().is_none_or(|extension| extension != "csv") {
        return bytes;
    }
    let text = String::from_utf8(bytes).unwrap();
    let rows = text.lines().map(|row| row.rsplit_once(',').unwrap().0);
    rows.collect::<Vec<_>>().join("\n").into_bytes()
}

/// Plays games into `file`.
fn games(file: &Path, games: u64, seed: u64) -> Result<(), datagen::DatagenError> {
    datagen::run(&datagen::Options {
        file: file.to_owned(),
        games: Some(games),
        positions: None,
        threads: Some(2),
        nodes: 60,
        network: None,
        tree_depth: Some(2),
        seed,
        shard: Shard::WHOLE,
        double_percent: 78,
    })
}

#[test]
fn games_survive_kills() {
    survives_kills(30, whole_file, |folder| {
        games(&folder.join("g.zst"), 12, 3)?;
        let tree = TreeReader::open(&folder.join("g.zst")).unwrap().unwrap();
        let samples: Vec<_> = tree.map(Result::unwrap).collect();
        assert!(samples.len() == 12 && samples.iter().map(Vec::len).sum::<usize>() > 100);
        Ok::<_, datagen::DatagenError>(())
    });
}

#[test]
fn merge_survives_kills() {
    let parts = tempfile::tempdir().unwrap();
    let [a, b] = ["a.zst", "b.zst"].map(|name| parts.path().join(name));
    games(&a, 4, 1).unwrap();
    games(&b, 4, 2).unwrap();
    survives_kills(20, whole_file, |folder| {
        let file = folder.join("ab.zst");
        // A complete file stays, and another merge is refused.
        if file.exists() {
            return Ok(());
        }
        merge::run(&merge::Arguments { file, parts: vec![a.clone(), b.clone()], anyway: false }).map(drop)
    });
}

#[derive(Parser)]
struct DataLine {
    #[command(subcommand)]
    arguments: data::Arguments,
}

/// Runs `data` with these words.
fn run_data(words: &[&Path]) -> Result<ExitStatus, DataError> {
    data::run(&DataLine::parse_from([&[Path::new("data")], words].concat()).arguments)
}

#[test]
fn import_survives_kills() {
    let parts = tempfile::tempdir().unwrap();
    let [played, positions] = ["a.zst", "p.epd"].map(|name| parts.path().join(name));
    games(&played, 3, 1).unwrap();
    run_data(&[Path::new("export"), &played, &positions]).unwrap();
    survives_kills(10, whole_file, |folder| {
        let file = folder.join("i.zst");
        if file.exists() {
            return Ok(ExitStatus::Success);
        }
        run_data(&[Path::new("import"), &file, &positions])
    });
}

#[test]
fn training_survives_kills() {
    let parts = tempfile::tempdir().unwrap();
    let file = parts.path().join("g.zst");
    games(&file, 12, 5).unwrap();
    survives_kills(15, without_seconds, |folder| {
        let hyperparameters = Hyperparameters {
            games: vec![file.clone()],
            from: None,
            epochs: 3,
            batch: 256,
            rate: 1e-3,
            last_rate: 1e-4,
            swa: 0.6,
            lambda: 0.0,
            last_lambda: None,
            endgame_lambda: None,
            td_lambda: 0.0,
            games_only: false,
            handcrafted_rate: None,
            scale: 220.0,
            seed: 1,
        };
        train::run(train::Arguments {
            network: folder.join("n.nnue"),
            hyperparameters,
            resume: false,
            threads: Some(2),
        })
    });
}
