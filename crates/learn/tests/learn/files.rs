//! Tests what the commands refuse or survive: foreign files, pipes, names that clash, useless numbers, a full disk.

use std::process::Command;

use crate::folder::Folder;
use crate::self_play;

#[test]
fn neighbouring_files_survive() {
    let folder = Folder::new();
    let notes = "notes of a person";
    for name in ["n.checkpoint.new", "j.gz.tail", "i.gz.tail"] {
        folder.write(name, notes);
    }
    folder.done(&["datagen", "a.gz", "--games", "8", "--nodes", "50"]);
    folder.done(&["train", "n.nnue", "a.gz", "--epochs", "1"]);
    let before = folder.names();
    let text = folder.refused(&["datagen", "j.gz", "--games", "1", "--nodes", "50"]);
    assert!(text.contains("j.gz.tail: is not the tail of j.gz"), "{text}");
    for name in ["n.checkpoint.new", "j.gz.tail", "i.gz.tail"] {
        assert_eq!(folder.read(name), notes, "{name}");
    }
    // The refused run leaves `j.gz`, which is empty, and its manifest.
    assert_eq!(folder.names().len(), before.len() + 2, "{:?}", folder.names());
}

#[test]
fn foreign_files_are_not_overwritten() {
    let folder = Folder::new();
    self_play(&folder, &["--games", "3"]);
    let file = |name: &str| folder.path(name);
    let letter = "dear diary";
    for name in ["letter.csv", "letter.checkpoint", "photo.nnue", "notes.gz", "joined.gz.tree"] {
        std::fs::write(file(name), letter).unwrap();
    }
    std::fs::copy(file("games.gz"), file("more.gz")).unwrap();
    std::fs::write(file("old.zst"), [0x28, 0xB5, 0x2F, 0xFD, 0]).unwrap();
    let before = std::fs::read(file("games.gz")).unwrap();
    for (arguments, complaint) in [
        (&["train", "games.gz", "more.gz"][..], "games.gz: holds something else"),
        (&["train", "games.gz", "games.gz"], "read and written at the same time"),
        (&["train", "net.nnue", "old.zst"], "`zstd -dc old.zst | gzip >NEW.gz` converts it"),
        (&["train", "net.nnue", "notes.gz"], "notes.gz: was not written by 'enroque-learn datagen'"),
        (&["data", "show", "games.gz", "--game", "9"], "games.gz: has no game 9; games in the file: 3"),
        (&["train", "net.csv", "games.gz"], "call the network NAME.nnue"),
        (&["train", "net.checkpoint", "games.gz"], "call the network NAME.nnue"),
        (&["train", "photo.nnue", "games.gz"], "photo.nnue: holds something else"),
        (&["train", "letter.nnue", "games.gz"], "letter.csv: holds something else"),
        (&["datagen", "notes.gz", "--games", "2"], "notes.gz.json"),
        (&["data", "merge", "photo.nnue", "games.gz"], "exists already"),
        (&["data", "merge", "joined.gz", "games.gz"], "joined.gz.tree: exists already"),
        (&["datagen", "joined.gz", "--games", "2", "--tree", "2"], "joined.gz.tree: holds something else"),
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains(complaint), "{arguments:?}: {text}");
    }
    assert_eq!(std::fs::read(file("games.gz")).unwrap(), before);
    for name in ["letter.csv", "letter.checkpoint", "photo.nnue", "notes.gz", "joined.gz.tree"] {
        assert_eq!(std::fs::read_to_string(file(name)).unwrap(), letter, "{name}");
    }
}

#[test]
fn failed_merge_leaves_nothing() {
    let folder = Folder::new();
    folder.done(&["datagen", "a.gz", "--games", "4", "--nodes", "50", "--tree", "2"]);
    let games = std::fs::read(folder.path("a.gz")).unwrap();
    std::fs::write(folder.path("cut.gz"), &games[..games.len() - 50]).unwrap();
    let before = folder.names();
    folder.refused(&["data", "merge", "m.gz", "a.gz", "cut.gz"]);
    assert_eq!(folder.names(), before);
    // The failed command left nothing behind, so the output can be written now.
    folder.done(&["data", "merge", "m.gz", "a.gz"]);
}

#[test]
fn merged_files_merge_again() {
    let folder = Folder::new();
    folder.done(&["datagen", "a.gz", "--games", "5", "--nodes", "50", "--tree", "2", "--seed", "1"]);
    folder.done(&["datagen", "b.gz", "--games", "5", "--nodes", "50", "--seed", "2"]);
    folder.done(&["data", "merge", "m.gz", "a.gz", "b.gz"]);
    let record: serde_json::Value = serde_json::from_str(&folder.read("m.gz.json")).unwrap();
    assert_eq!(record["parts"][1]["made"]["settings"]["seed"], 2);
    folder.done(&["data", "merge", "n.gz", "m.gz"]);
    let output = folder.run(&["data", "merge", "o.gz", "m.gz", "b.gz"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("part 1/1 of the games with seed 2 is there 2 times"), "{text}");
}

#[cfg(unix)]
#[test]
fn pipes_are_refused() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for arguments in [
        &["datagen", "pipe", "--games", "1", "--nodes", "50"][..],
        &["train", "n.nnue", "pipe", "--epochs", "1"],
        &["train", "pipe", "g.gz", "--epochs", "1"],
        &["data", "info", "pipe"],
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains("pipe: expected a regular file"), "{arguments:?}: {text}");
    }
    assert_eq!(folder.names(), ["pipe"]);
}

#[cfg(unix)]
#[test]
fn names_may_hold_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let games = std::ffi::OsStr::from_bytes(b"Gr\xfcn.gz");
    let played =
        folder.command(&["datagen"]).arg(games).args(["--games", "1", "--nodes", "50"]).output().unwrap();
    assert!(played.status.success() && folder.0.path().join(games).exists());
    // The checkpoint stores the names of the game files as JSON, which is UTF-8, so `train` refuses this one.
    let output = folder.command(&["train", "n.nnue"]).arg(games).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a name that is not UTF-8"));
}

#[test]
fn useless_numbers_are_refused() {
    let folder = Folder::new();
    for (option, values) in [
        ("--rate", &["nan", "inf", "-1", "0", "1e30"][..]),
        ("--last-rate", &["nan", "inf", "-1"]),
        ("--scale", &["0", "nan", "inf", "-220", "1e30"]),
        ("--threads", &["0", "20000", "x"]),
    ] {
        for value in values {
            let text = folder.refused(&["train", "n.nnue", "a.gz", &format!("{option}={value}")]);
            assert!(text.contains(option) && text.contains("expected"), "{option} {value}: {text}");
        }
    }
    let text = folder.refused(&["datagen", "g.gz", "--games", "1", "--nodes", "2305843009213693952"]);
    assert!(text.contains("--nodes"), "{text}");
    for tool in [&["datagen", "g.gz", "--games", "1"][..], &["match", "n.nnue"]] {
        let text = folder.refused(&[tool, &["--threads", "20000"]].concat());
        assert!(text.contains("expected a number of threads from 1 to 1024"), "{tool:?}: {text}");
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_loses_nothing() {
    let [full, whole] = [Folder::new(), Folder::new()];
    let play = ["datagen", "a.gz", "--games", "12", "--nodes", "50", "--tree", "2", "--seed", "5"];
    let output = full.run_on_full_disk(&play);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("File too large"), "{text}");
    full.done(&play);
    whole.done(&play);
    assert_eq!(full.names(), whole.names());
    for name in whole.names() {
        let read = |folder: &Folder| std::fs::read(folder.path(&name)).unwrap();
        assert!(read(&full) == read(&whole), "{name}");
    }
}
