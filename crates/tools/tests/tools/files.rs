//! Output files on a hostile disk: foreign files, links, pipes, clashes, kills, full disks.

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::program::command;

/// Folder in which the program runs.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    /// Runs the program with files of at most 1024 bytes, like a full disk.
    #[cfg(target_os = "linux")]
    fn run_on_full_disk(&self, arguments: &[&str]) -> Output {
        let script = "ulimit -f 1; exec \"$0\" \"$@\"";
        let mut bash = Command::new("bash");
        bash.current_dir(self.0.path()).args(["-c", script, crate::PROGRAM]).args(arguments);
        bash.output().expect("bash runs")
    }

    /// Runs a command that must succeed.
    fn done(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs a command that must be refused and returns its errors.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        text
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

#[test]
fn neighbouring_files_survive() {
    let folder = Folder::new();
    let notes = "notes of a person";
    for name in ["n.checkpoint.new", "j.zst.tail", "i.zst.tail"] {
        folder.write(name, notes);
    }
    folder.done(&["datagen", "a.zst", "--games", "8", "--nodes", "50"]);
    folder.done(&["train", "n.nnue", "a.zst", "--epochs", "1"]);
    let before = folder.names();
    let text = folder.refused(&["datagen", "j.zst", "--games", "1", "--nodes", "50"]);
    assert!(text.contains("j.zst.tail: is not the tail of j.zst"), "{text}");
    for name in ["n.checkpoint.new", "j.zst.tail", "i.zst.tail"] {
        assert_eq!(folder.read(name), notes, "{name}");
    }
    // The refused run leaves the record of its settings.
    assert_eq!(folder.names().len(), before.len() + 2, "{:?}", folder.names());
}

#[cfg(unix)]
#[test]
fn pipes_are_written_through() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for arguments in [
        &["datagen", "pipe", "--games", "1", "--nodes", "50"][..],
        &["train", "n.nnue", "pipe", "--epochs", "1"],
        &["train", "pipe", "g.zst", "--epochs", "1"],
        &["sweep", "pipe", "--range", "0..1", "--nodes", "50"],
        &["data", "info", "pipe"],
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains("pipe: expected a regular file"), "{arguments:?}: {text}");
    }
    assert_eq!(folder.names(), ["pipe"]);
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap());
    folder.done(&["quiz", "pipe", "--count", "1"]);
    let page = reader.join().unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    // A link like /dev/stdout, so that a failure harms no other program.
    std::os::unix::fs::symlink("/proc/self/fd/1", folder.path("stdout")).unwrap();
    let output = folder.run(&["quiz", "stdout", "--count", "1"]);
    assert!(output.status.success() && output.stdout.starts_with(b"<!DOCTYPE html>"));
    assert_eq!(folder.names(), ["pipe", "stdout"]);
    assert!(folder.path("stdout").is_symlink());
    // A tablebase that is a pipe does not stop the engine.
    std::fs::create_dir(folder.path("tables")).unwrap();
    std::fs::rename(folder.path("pipe"), folder.path("tables/KQvK.rtbw")).unwrap();
    let output = folder.run(&["setoption name SyzygyPath value tables", "isready"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("KQvK.rtbw: expected a Syzygy file") && text.ends_with("readyok\n"), "{text}");
}

#[test]
fn killed_writer_leaves_the_old_page_or_the_new_one() {
    let folder = Folder::new();
    let page = ["quiz", "page.html", "--count", "1"];
    folder.done(&page);
    for milliseconds in 0..20 {
        let mut child = folder.command(&page).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = folder.read("page.html");
        assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"), "{text}");
    }
}

#[test]
fn failed_import_and_split_leave_nothing() {
    let folder = Folder::new();
    folder.done(&["datagen", "a.zst", "--games", "4", "--nodes", "50", "--tree", "2"]);
    folder.done(&["data", "export", "a.zst", "p.bullet"]);
    let positions = std::fs::read(folder.path("p.bullet")).unwrap();
    std::fs::write(folder.path("bad.bullet"), &positions[..positions.len() - 5]).unwrap();
    let games = std::fs::read(folder.path("a.zst")).unwrap();
    std::fs::write(folder.path("cut.zst"), &games[..games.len() - 50]).unwrap();
    let before = folder.names();
    let text = folder.refused(&["data", "import", "i.zst", "bad.bullet"]);
    assert!(text.contains("bad.bullet: the last position is cut off"), "{text}");
    folder.refused(&["data", "split", "cut.zst", "b.zst", "c.zst"]);
    folder.refused(&["data", "merge", "m.zst", "a.zst", "cut.zst"]);
    assert_eq!(folder.names(), before);
    // The same names can be used again.
    folder.run(&["data", "import", "i.zst", "p.bullet"]);
    folder.done(&["data", "split", "a.zst", "b.zst", "c.zst"]);
    let info = String::from_utf8(folder.run(&["data", "info", "i.zst", "b.zst", "c.zst"]).stdout).unwrap();
    assert_eq!(info.lines().count(), 5, "{info}");
}

#[test]
fn split_and_imported_files_merge() {
    let folder = Folder::new();
    folder.done(&["datagen", "a.zst", "--games", "5", "--nodes", "50", "--tree", "2"]);
    folder.done(&["data", "export", "a.zst", "p.epd"]);
    folder.run(&["data", "import", "i.zst", "p.epd"]);
    folder.done(&["data", "split", "a.zst", "b.zst", "c.zst"]);
    folder.done(&["data", "merge", "m.zst", "b.zst", "c.zst", "i.zst"]);
    let record: serde_json::Value = serde_json::from_str(&folder.read("m.zst.json")).unwrap();
    let made: Vec<&serde_json::Value> =
        record["parts"].as_array().unwrap().iter().map(|part| &part["made"]).collect();
    assert_eq!(made[1]["split_from"], "a.zst");
    assert_eq!(made[1]["part"], serde_json::json!([2, 2]));
    assert_eq!(made[2]["imported_from"], "p.epd");
    // A merged file merges again, and a missing part is reported.
    folder.done(&["data", "merge", "n.zst", "m.zst"]);
    let output = folder.run(&["data", "merge", "o.zst", "c.zst"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("part 1/2 of the games of a.zst is missing"), "{text}");
    folder.done(&["data", "merge", "q.zst", "c.zst", "--anyway"]);
}

#[test]
fn clashing_outputs_are_refused() {
    let folder = Folder::new();
    let sweep = ["sweep", "z.csv", "--range", "0..1", "--nodes", "50"];
    folder.done(&["datagen", "a.zst", "--games", "3", "--nodes", "50"]);
    folder.done(&sweep);
    let (before, results) = (folder.names(), folder.read("z.csv"));
    for (arguments, complaint) in [
        (&[&sweep[..], &["--json", "z.csv"]].concat()[..], "written twice"),
        (&[&sweep[..], &["--page", "./z.csv"]].concat(), "written twice"),
        (&[&sweep[..], &["--json", "z.csv.json"]].concat(), "written twice"),
        (&[&sweep[..], &["--json", "both", "--page", "both"]].concat(), "written twice"),
        (&["sweep", "merge", "z.csv", "z.csv"], "read and written"),
        (&["sweep", "merge", "all.csv", "z.csv", "--json", "all.csv"], "written twice"),
        (&["sweep", "merge", "all.csv", "z.csv", "--json", "z.csv.json"], "read and written"),
        (&["data", "split", "a.zst", "b.zst", "b.zst"], "written twice"),
        (&["data", "split", "a.zst", "b.zst", "b.zst.tree"], "written twice"),
        (&["data", "split", "a.zst", "b.zst", "a.zst"], "read and written"),
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains(complaint), "{arguments:?}: {text}");
        assert_eq!(folder.names(), before, "{arguments:?}");
    }
    assert_eq!(folder.read("z.csv"), results);
}

#[test]
fn other_settings_are_refused() {
    let folder = Folder::new();
    let sweep = ["sweep", "z.csv", "--range", "0..1", "--nodes"];
    folder.done(&[&sweep[..], &["50"]].concat());
    let results = folder.read("z.csv");
    let text = folder.refused(&[&sweep[..], &["60"]].concat());
    assert!(text.contains("z.csv: made with other settings"), "{text}");
    assert_eq!(folder.read("z.csv"), results);
}

#[cfg(unix)]
#[test]
fn names_may_hold_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let [games, page] = [&b"Gr\xfcn.zst"[..], b"Gr\xfcn.html"].map(OsStr::from_bytes);
    let run = |word: &str, name: &OsStr, options: &[&str]| {
        folder.command(&[word]).arg(name).args(options).output().expect("the program runs")
    };
    assert!(run("quiz", page, &["--count", "1"]).status.success());
    assert!(run("datagen", games, &["--games", "1", "--nodes", "50"]).status.success());
    assert!(folder.0.path().join(page).exists() && folder.0.path().join(games).exists());
    // A checkpoint names its games in JSON.
    let output = folder.command(&["train", "n.nnue"]).arg(games).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a name that is not UTF-8"));
}

#[cfg(unix)]
#[test]
fn errors_show_no_control_characters() {
    let folder = Folder::new();
    let name = "a\u{1b}[31m\u{9b}\u{7f}\u{202e}.pgn";
    folder.write(name, "[FEN \"\u{9b}\"]\n\n1. e4 *\n");
    let missing = format!("b{name}");
    for arguments in [
        &["analyse", name, "--nodes", "100"][..],
        &["analyse", &missing],
        &["data", "info", &missing],
        &["sweep", "s.csv", "--range", &missing],
        &[name],
    ] {
        let text = folder.refused(arguments);
        let is_plain = |c: char| c == '\n' || !c.is_control() && c != '\u{202e}';
        assert!(text.contains(".pgn") && text.chars().all(is_plain), "{arguments:?}: {text:?}");
    }
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
            let text = folder.refused(&["train", "n.nnue", "a.zst", &format!("{option}={value}")]);
            assert!(text.contains(option) && text.contains("expected"), "{option} {value}: {text}");
        }
    }
    for tool in [
        &["sweep", "y.csv"][..],
        &["datagen", "g.zst", "--games", "1"],
        &["match", "n.nnue"],
        &["analyse", "startpos"],
        &["perft", "2"],
    ] {
        let text = folder.refused(&[tool, &["--threads", "20000"]].concat());
        assert!(text.contains("expected a number of threads from 1 to 1024"), "{tool:?}: {text}");
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_loses_nothing() {
    let [full, whole] = [Folder::new(), Folder::new()];
    let datagen = ["datagen", "a.zst", "--games", "12", "--nodes", "50", "--tree", "2", "--seed", "5"];
    let sweep = ["sweep", "z.csv", "--range", "0..12", "--nodes", "50"];
    for arguments in [&datagen[..], &sweep] {
        let output = full.run_on_full_disk(arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains("File too large"), "{arguments:?}: {text}");
        full.done(arguments);
        whole.done(arguments);
    }
    assert_eq!(full.names(), whole.names());
    for name in whole.names() {
        let read = |folder: &Folder| std::fs::read(folder.path(&name)).unwrap();
        assert!(read(&full) == read(&whole), "{name}");
    }
    // A file that is replaced as a whole stays away, with its temporary file.
    assert_eq!(full.run_on_full_disk(&["quiz", "page.html"]).status.code(), Some(2));
    assert_eq!(full.names(), whole.names());
}

#[cfg(target_os = "linux")]
#[test]
fn full_log_ends_no_game() {
    let folder = Folder::new();
    let output =
        folder.run_on_full_disk(&["setoption name Debug Log File value log", "go depth 9", "go depth 10"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.matches("bestmove").count() == 2, "{text}");
    assert!(text.len() > 1024 && folder.path("log").metadata().unwrap().len() <= 1024, "{text}");
}
