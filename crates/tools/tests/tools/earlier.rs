//! Resumes runs that version 0.2.0 left half finished; the folder `earlier` has their files, each with a torn last line.

use std::path::Path;

use enroque::nnue::Network;
use enroque::util::version::GENERATOR;

use crate::folder::Folder;

/// The program and the network that wrote the files.
const WRITER: [&str; 2] = ["enroque 0.2.0 90835b2", "29510181b96b4a7b"];

/// Copies the files of a run, as if the program and the network of today had written them.
fn half_finished(run: &str) -> Folder {
    let folder = Folder::new();
    let today = [GENERATOR.to_owned(), format!("{:016x}", Network::embedded().checksum())];
    for file in
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools/earlier").join(run).read_dir().unwrap()
    {
        let file = file.unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let text = WRITER.iter().zip(&today).fold(text, |text, (then, now)| text.replace(then, now));
        folder.write(file.file_name().to_str().unwrap(), &text);
    }
    folder
}

#[test]
fn runs_of_version_0_2_0_resume() {
    for (run, manifest, results, command) in [
        ("sweep", "r.csv.json", &["r.csv"][..], "sweep r.csv --range 515..518 --nodes 50 --hash 1"),
        (
            "difficulty",
            "d.csv.json",
            &["d.csv"],
            "sweep d.csv --range 517..519 --nodes 200 --hash 1 --difficulty --lines 2 --seeds 2",
        ),
        (
            "analyse",
            "out.pgn.json",
            &["out.pgn.jsonl", "out.pgn"],
            "analyse games.pgn -o out.pgn --page out.html --nodes 200 --hash 1",
        ),
    ] {
        let folder = half_finished(run);
        let read =
            || [&[manifest], results].concat().iter().map(|name| folder.read(name)).collect::<Vec<_>>();
        let before = read();
        folder.done(&command.split(' ').collect::<Vec<_>>());
        let after = read();
        assert_eq!(before[0], after[0], "{run}");
        for (before, after) in before[1..].iter().zip(&after[1..]) {
            let complete = &before[..before.rfind('\n').unwrap() + 1];
            assert!(after.starts_with(complete) && after.len() > before.len(), "{before}\n\n{after}");
        }
    }
}

/// Puzzles have other rules since, and one file must not mix both.
#[test]
fn puzzles_of_version_0_2_0_are_left_alone() {
    let folder = half_finished("puzzles");
    let before = folder.read("p.jsonl");
    let error = folder.refused(&["puzzles", "p.jsonl", "g.pgn", "--nodes", "20000", "--hash", "1"]);
    assert!(error.contains("made with other settings"), "{error}");
    assert_eq!(folder.read("p.jsonl"), before);
}
