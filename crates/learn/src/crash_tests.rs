//! Tests that a kill or a full disk between two writes, or in the middle of one, loses nothing: we put the files into
//! each state that it can leave, then run the same `datagen`, `data` or `train` command again. The files must then be
//! the same as after an undisturbed run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::Parser;

use crate::games::{GameReader, GameWriter};
use crate::sample::tree::{TreeReader, TreeWriter};
use crate::{data, datagen, train};

#[derive(Parser)]
enum Line {
    Datagen(datagen::Arguments),
    #[command(subcommand)]
    Data(data::Arguments),
    Train(train::Arguments),
}

/// Runs a command line, in which `@name` stands for the path of the file `name` in `folder`.
fn run(folder: &Path, line: &str) {
    let word = |word: &str| match word.strip_prefix('@') {
        Some(name) => folder.join(name).into_os_string(),
        None => OsString::from(word),
    };
    match Line::parse_from(["enroque"].into_iter().chain(line.split(' ')).map(word)) {
        Line::Datagen(arguments) => datagen::run(&arguments).map(drop).unwrap(),
        Line::Data(arguments) => data::run(&arguments).map(drop).unwrap(),
        Line::Train(arguments) => train::run(arguments).map(drop).unwrap(),
    }
}

/// The contents of the files in a folder, by file name.
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let names = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|name| (name.clone(), std::fs::read(folder.join(name)).unwrap())).collect()
}

/// Writes the files in `state` to the folder and removes all others.
fn restore(folder: &Path, state: &Files) {
    files(folder).keys().for_each(|name| std::fs::remove_file(folder.join(name)).unwrap());
    state.iter().for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes).unwrap());
}

/// Returns the states in which a kill can leave the files on the way from `before` to `after`: a new file is either
/// missing or whole, but a file that grows can end anywhere within the added bytes.
fn states_between(before: &Files, after: &Files) -> Vec<Files> {
    let mut states = vec![before.clone()];
    for (name, new) in after {
        let lengths = match before.get(name) {
            None => vec![new.len()],
            Some(old) if new.len() > old.len() && new.starts_with(old) => {
                vec![old.len() + 1, (old.len() + new.len()) / 2, new.len()]
            }
            Some(_) => vec![],
        };
        for length in lengths {
            let torn = (name.clone(), new[..length].to_vec());
            states.push(before.clone().into_iter().chain([torn]).collect());
        }
    }
    states
}

#[test]
fn datagen_survives_kills() {
    let line = "datagen @g.gz --games 8 --nodes 60 --tree 2 --seed 3 --threads 2";
    let folder = tempfile::tempdir().unwrap();
    let (folder, file) = (folder.path(), folder.path().join("g.gz"));
    run(folder, line);
    let expected = files(folder);
    let games: Vec<_> = GameReader::open(&file).unwrap().map(Result::unwrap).collect();
    let tree: Vec<_> = TreeReader::open(&file).unwrap().unwrap().map(Result::unwrap).collect();
    assert!(games.len() == 8 && tree.len() == 8 && tree.iter().map(Vec::len).sum::<usize>() > 100);

    // We repeat the writes of `datagen` one by one, and keep a copy of all files after each write.
    let record = "g.gz.json".to_owned();
    let mut steps = vec![Files::from([(record.clone(), expected[&record].clone())])];
    restore(folder, &steps[0]);
    let mut game_writer = GameWriter::open(&file).unwrap();
    steps.push(files(folder));
    let mut tree_writer = TreeWriter::open(&file, 0).unwrap();
    steps.push(files(folder));
    for (number, (game, samples)) in games.iter().zip(&tree).enumerate() {
        tree_writer.add(number as u64, samples).unwrap();
        steps.push(files(folder));
        game_writer.add(game).unwrap();
        steps.push(files(folder));
    }
    tree_writer.finish().unwrap();
    steps.push(files(folder));
    game_writer.finish().unwrap();
    assert!(files(folder) == expected);
    steps.push(files(folder));

    for (step, pair) in steps.windows(2).enumerate() {
        for (torn, state) in states_between(&pair[0], &pair[1]).iter().enumerate() {
            restore(folder, state);
            run(folder, line);
            assert!(files(folder) == expected, "after step {step}, state {torn}");
        }
    }
}

/// Puts the folder into states that it can be in after the command `line` was killed: the new game file `file` is half
/// written or not yet renamed. Asserts that the command, run again, still gives the right files.
fn new_games_survive_kills(folder: &Path, line: &str, file: &str) {
    let before = files(folder);
    run(folder, line);
    let expected = files(folder);
    for (tree, has_record, share) in
        [(".part.tree", false, 2), (".part.tree", false, 1), (".tree", false, 1), (".tree", true, 1)]
    {
        let mut state = before.clone();
        let mut add = |name: &str, source: &str| {
            if let Some(bytes) = expected.get(&format!("{file}{source}")) {
                state.insert(format!("{file}{name}"), bytes[..bytes.len() / share].to_vec());
                if share > 1 {
                    state.insert(format!("{file}{name}.tail"), vec![0; 8 + 5]);
                }
            }
        };
        add(".part", "");
        add(tree, ".tree");
        if has_record {
            add(".json", ".json");
        }
        restore(folder, &state);
        run(folder, line);
        assert!(files(folder) == expected, "{:?}", state.keys());
    }
}

#[test]
fn merge_survives_kills() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "datagen @a.gz --games 3 --nodes 60 --tree 2 --seed 1 --shard 1/2");
    run(folder, "datagen @b.gz --games 3 --nodes 60 --tree 2 --seed 1 --shard 2/2");
    new_games_survive_kills(folder, "data merge @ab.gz @a.gz @b.gz", "ab.gz");
}

#[test]
fn training_survives_kills() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "datagen @g.gz --games 12 --nodes 60 --tree 2 --seed 5");
    let before = files(folder);
    // With a constant learning rate the first epoch of a short run equals the first epoch of a long one.
    let train = |epochs: &str| {
        let line = "train @n.nnue @g.gz --batch 256 --rate 0.001 --last-rate 0.001 --threads 2 --epochs ";
        run(folder, &format!("{line}{epochs}"));
        let mut files = files(folder);
        // We drop the last column, the speed, which differs from run to run.
        let log = String::from_utf8(files.remove("n.csv").unwrap()).unwrap();
        let log: Vec<_> = log.lines().map(|row| row.rsplit_once(',').unwrap().0.to_owned()).collect();
        (files, log)
    };
    let expected = train("3");
    assert_eq!(expected.1.len(), 1 + 3);
    let mut finished = files(folder);
    finished.remove("n.nnue");
    restore(folder, &before);
    train("1");
    let mut first = files(folder);
    first.remove("n.nnue");
    // `train` logs an epoch before it saves the checkpoint, so a kill can leave one row too many, or part of one.
    for torn in ["", "2", "2,0.5,0", "2,0.5,0.5,1e-3,9\n"] {
        let mut state = first.clone();
        state.get_mut("n.csv").unwrap().extend(torn.bytes());
        restore(folder, &state);
        assert!(train("3 --continue") == expected, "{torn}");
    }
    restore(folder, &finished);
    assert!(train("3") == expected);
}
