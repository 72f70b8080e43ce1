//! What a kill or a full disk leaves of `datagen`, `data merge` and `train` at every single step of their writing: the
//! same command goes on, and in the end the files are those of a run that nothing disturbed.

use std::path::Path;

use super::train::{self, Hyperparameters};
use super::tree::TreeReader;
use super::{data, datagen};
use crate::files::fault::Fault;

/// The contents of all files of a folder, by name, but for what says how fast the machine was.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let mut bytes = std::fs::read(&path).unwrap();
            if path.extension().is_some_and(|extension| extension == "csv") {
                let text = String::from_utf8(bytes).unwrap();
                let rows = text.lines().map(|row| row.rsplit_once(',').unwrap().0);
                bytes = rows.collect::<Vec<_>>().join("\n").into_bytes();
            }
            (path.file_name().unwrap().to_str().unwrap().to_owned(), bytes)
        })
        .collect();
    all.sort();
    all
}

/// Lets `run`, which writes into the folder it is given, be killed at each of its steps, in turn once and twice, and go
/// on.
fn survives_kills<E: std::fmt::Display>(least_steps: u64, run: impl Fn(&Path) -> Result<(), E>) {
    let undisturbed = tempfile::tempdir().unwrap();
    run(undisturbed.path()).unwrap_or_else(|error| panic!("undisturbed: {error}"));
    let expected = contents(undisturbed.path());
    let mut steps = 0;
    loop {
        let folder = tempfile::tempdir().unwrap();
        let kill_after = |steps| {
            let fault = Fault::after(steps, folder.path());
            let result = run(folder.path());
            assert_eq!(result.is_ok(), fault.is_unused(), "killed after {steps} steps");
            fault.is_unused()
        };
        let finished = kill_after(steps);
        if steps % 2 == 1 && !finished {
            kill_after(steps / 2);
        }
        if !finished {
            run(folder.path()).unwrap_or_else(|error| panic!("going on after {steps} steps: {error}"));
        }
        let found = contents(folder.path());
        let names = |files: &[(String, Vec<u8>)]| files.iter().map(|file| file.0.clone()).collect::<Vec<_>>();
        assert_eq!(names(&found), names(&expected), "killed after {steps} steps");
        assert!(found == expected, "killed after {steps} steps: other contents");
        if finished {
            break;
        }
        steps += 1;
    }
    assert!(steps >= least_steps, "only {steps} steps");
}

fn games(file: &Path, games: u64, seed: u64) -> Result<(), datagen::DatagenError> {
    datagen::run(&datagen::Options {
        file: file.to_owned(),
        games: Some(games),
        positions: None,
        threads: Some(2),
        nodes: 40,
        network: None,
        tree_depth: Some(2),
        seed,
        double_percent: 78,
    })
}

#[test]
fn games_survive_kills() {
    survives_kills(30, |folder| {
        games(&folder.join("g.zst"), 6, 3)?;
        let tree = TreeReader::open(&folder.join("g.zst")).unwrap().unwrap();
        let seen: Vec<_> = tree.map(Result::unwrap).collect();
        assert!(seen.len() == 6 && seen.iter().map(Vec::len).sum::<usize>() > 50);
        Ok::<_, datagen::DatagenError>(())
    });
}

#[test]
fn joining_survives_kills() {
    let parts = tempfile::tempdir().unwrap();
    let [a, b] = ["a.zst", "b.zst"].map(|name| parts.path().join(name));
    games(&a, 4, 1).unwrap();
    games(&b, 4, 2).unwrap();
    survives_kills(20, |folder| {
        let file = folder.join("ab.zst");
        // Once it is whole the file stays, and joining again is refused.
        if file.exists() { Ok(()) } else { data::merge(&file, &[a.clone(), b.clone()]) }
    });
}

#[test]
fn training_survives_kills() {
    let parts = tempfile::tempdir().unwrap();
    let file = parts.path().join("g.zst");
    games(&file, 12, 5).unwrap();
    survives_kills(15, |folder| {
        let hyperparameters = Hyperparameters {
            games: vec![file.clone()],
            from: None,
            epochs: 3,
            batch: 256,
            rate: 1e-3,
            last_rate: 1e-4,
            lambda: 0.0,
            last_lambda: 0.0,
            scale: 220.0,
            seed: 1,
        };
        train::run(&folder.join("n.nnue"), hyperparameters, 2)
    });
}
