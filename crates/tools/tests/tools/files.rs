//! Output files on a hostile disk: foreign files, links, devices, pipes, clashes, limits.

use std::path::Path;
use std::process::Output;

use crate::common::program::command;

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";

/// Folder with a short game, `g.pgn`, in which the program runs.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        folder.write("g.pgn", GAME);
        folder
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

    fn run(&self, arguments: &[&str]) -> Output {
        command().current_dir(self.0.path()).args(arguments).output().expect("the program runs")
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

const PAGE: [&str; 6] = ["analyse", "g.pgn", "--nodes", "500", "--page", "page.html"];

#[test]
fn neighbouring_files_survive() {
    let folder = Folder::new();
    let notes = "notes of a person";
    for name in ["page.html.new", "n.checkpoint.new", "j.zst.tail", "i.zst.tail"] {
        folder.write(name, notes);
    }
    folder.done(&PAGE);
    folder.done(&["datagen", "a.zst", "--games", "8", "--nodes", "50"]);
    folder.done(&["train", "n.nnue", "a.zst", "--epochs", "1"]);
    folder.done(&["data", "export", "a.zst", "p.epd", "--all"]);
    let text = folder.refused(&["datagen", "j.zst", "--games", "1", "--nodes", "50"]);
    assert!(text.contains("j.zst.tail: is not the tail of j.zst"), "{text}");
    for name in ["page.html.new", "n.checkpoint.new", "j.zst.tail", "i.zst.tail"] {
        assert_eq!(folder.read(name), notes, "{name}");
    }
    assert!(!folder.names().iter().any(|name| name.ends_with(".enroque")), "{:?}", folder.names());
}

#[cfg(unix)]
#[test]
fn planted_links_are_not_followed() {
    let folder = Folder::new();
    folder.write("precious", "precious");
    for name in ["page.html.new", "q.html.new", "j.zst.tail"] {
        std::os::unix::fs::symlink("precious", folder.path(name)).unwrap();
    }
    folder.done(&PAGE);
    folder.done(&["quiz", "q.html", "--count", "1"]);
    folder.refused(&["datagen", "j.zst", "--games", "1", "--nodes", "50"]);
    assert_eq!(folder.read("precious"), "precious");
    assert!(folder.read("page.html").starts_with("<!DOCTYPE html>"));
    assert!(folder.path("page.html").symlink_metadata().unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("real.html", "");
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(folder.path("real.html"), mode(0o600)).unwrap();
    std::os::unix::fs::symlink("real.html", folder.path("link.html")).unwrap();
    for _ in 0..2 {
        folder.done(&["quiz", "link.html", "--count", "1"]);
        assert!(folder.path("link.html").symlink_metadata().unwrap().is_symlink());
        assert!(folder.read("real.html").starts_with("<!DOCTYPE html>"));
        let kept = folder.path("real.html").metadata().unwrap().permissions();
        assert_eq!(kept.mode() & 0o777, 0o600);
    }
    std::os::unix::fs::symlink("none", folder.path("dangling.html")).unwrap();
    let text = folder.refused(&["quiz", "dangling.html"]);
    assert!(text.contains("dangling.html: is a link to a missing file"), "{text}");
}

#[cfg(unix)]
#[test]
fn pipes_are_written_through() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let text = folder.refused(&["quiz", "pipe"]);
    assert!(text.contains("pipe: no process reads from this pipe"), "{text}");
    for arguments in [
        &["datagen", "pipe", "--games", "1", "--nodes", "50"][..],
        &["train", "n.nnue", "pipe", "--epochs", "1"],
        &["train", "pipe", "g.zst", "--epochs", "1"],
        &["sweep", "pipe", "--range", "0..1", "--nodes", "50"],
        &["analyse", "g.pgn", "--nodes", "50", "--output", "pipe"],
        &["data", "info", "pipe"],
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains("pipe: expected a regular file"), "{arguments:?}: {text}");
    }
    assert_eq!(folder.names(), ["g.pgn", "pipe"]);
    let shell = "exec \"$0\" quiz >(cat >copy.html) --count 1";
    let bash = std::process::Command::new("bash")
        .current_dir(folder.0.path())
        .args(["-c", shell, crate::PROGRAM])
        .status();
    assert!(bash.unwrap().success());
    let mut copied = false;
    for _ in 0..1000 {
        copied = folder.path("copy.html").exists() && folder.read("copy.html").ends_with("</html>\n");
        if copied {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(copied);
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_stays_a_link() {
    // A link of the same kind as /dev/stdout, so that a failure harms no other program.
    let folder = Folder::new();
    let link = folder.path("stdout");
    std::os::unix::fs::symlink("/proc/self/fd/1", &link).unwrap();
    let output = folder.run(&["quiz", "stdout", "--count", "1"]);
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("<!DOCTYPE html>"));
    assert_eq!(std::fs::read_link(&link).unwrap(), Path::new("/proc/self/fd/1"));
    // Standard output in a file is not replaced either.
    let file = std::fs::File::create(folder.path("both")).unwrap();
    let arguments = ["analyse", "g.pgn", "--nodes", "500", "--page", "stdout"];
    let status = command().current_dir(folder.0.path()).args(arguments).stdout(file).status().unwrap();
    let text = folder.read("both");
    assert!(status.success() && text.starts_with("[White") && text.contains("<!DOCTYPE html>"), "{text}");
}

#[test]
fn parallel_writers_all_succeed() {
    let folder = Folder::new();
    let start = || {
        let mut program = command();
        program.current_dir(folder.0.path()).args(["quiz", "race.html", "--count", "1"]);
        program.stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    for _ in 0..20 {
        let running: Vec<_> = (0..4).map(|_| start()).collect();
        for child in running {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
    assert_eq!(folder.names(), ["g.pgn", "race.html"]);
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
    let before = folder.names();
    for more in [
        &["--json", "z.csv"][..],
        &["--page", "./z.csv"],
        &["--json", "z.csv.json"],
        &["--json", "both", "--page", "both"],
    ] {
        let text = folder.refused(&[&sweep[..], more].concat());
        assert!(text.contains("would be written twice"), "{more:?}: {text}");
        assert_eq!(folder.names(), before, "{more:?}");
    }
    folder.done(&sweep);
    let results = folder.read("z.csv");
    for (arguments, complaint) in [
        (&["sweep", "merge", "z.csv", "z.csv"][..], "read and written"),
        (&["sweep", "merge", "all.csv", "z.csv", "--json", "all.csv"], "written twice"),
        (&["sweep", "merge", "all.csv", "z.csv", "--json", "z.csv.json"], "read and written"),
        (&["analyse", "g.pgn", "--graph", "x", "--page", "x"], "written twice"),
        (&["analyse", "g.pgn", "--output", "x.pgn", "--page", "x.pgn.json"], "written twice"),
        (&["analyse", "g.pgn", "--page", "g.pgn"], "read and written"),
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains(complaint), "{arguments:?}: {text}");
    }
    folder.done(&["datagen", "a.zst", "--games", "3", "--nodes", "50"]);
    let before = folder.names();
    for parts in [["b.zst", "b.zst"], ["b.zst", "b.zst.tree"], ["b.zst", "a.zst"]] {
        folder.refused(&[&["data", "split", "a.zst"], &parts[..]].concat());
        assert_eq!(folder.names(), before, "{parts:?}");
    }
    assert_eq!(folder.read("z.csv"), results);
}

#[cfg(unix)]
#[test]
fn names_may_hold_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"Gr\xfcn.pgn");
    std::fs::copy(folder.path("g.pgn"), folder.0.path().join(name)).unwrap();
    let run = |arguments: &[&OsStr]| {
        let output = command().current_dir(folder.0.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let [page, graph] = [&b"Gr\xfcn.html"[..], b"Gr\xfcn.svg"].map(OsStr::from_bytes);
    let options = ["--nodes", "500", "--page", "", "--graph", ""].map(OsStr::new);
    let [nodes, limit, to_page, _, to_graph, _] = options;
    let text = run(&[OsStr::new("analyse"), name, nodes, limit, to_page, page, to_graph, graph]);
    assert!(text.contains("Qxe5#"), "{text}");
    assert!(folder.0.path().join(page).exists() && folder.0.path().join(graph).exists());
    // A file of games can have such a name, but not in a checkpoint.
    let games = OsStr::from_bytes(b"Gr\xfcn.zst");
    run(&["datagen", "", "--games", "1", "--nodes", "50"]
        .map(|word| if word.is_empty() { games } else { OsStr::new(word) }));
    let train = [OsStr::new("train"), OsStr::new("n.nnue"), games];
    let output = command().current_dir(folder.0.path()).args(train).output().unwrap();
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
    assert_eq!(folder.names(), ["g.pgn"]);
}

#[test]
fn changed_source_is_refused() {
    let folder = Folder::new();
    let analyse = ["analyse", "g.pgn", "--nodes", "500", "--output", "out.pgn"];
    folder.done(&analyse);
    let written = folder.read("out.pgn");
    folder.done(&analyse);
    folder.write("g.pgn", &GAME.replace("\"A\"", "\"C\""));
    let text = folder.refused(&analyse);
    assert!(text.contains("out.pgn: made with other settings"), "{text}");
    assert_eq!(folder.read("out.pgn"), written);
}

#[cfg(unix)]
#[test]
fn engine_waits_for_no_pipe() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("tables")).unwrap();
    for name in ["log", "tables/KQvK.rtbw"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(made.unwrap().success());
    }
    let output = folder.run(&[
        "setoption name Debug Log File value log",
        "setoption name SyzygyPath value tables",
        "isready",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("log: no process reads from this pipe"), "{text}");
    assert!(text.contains("KQvK.rtbw: expected a regular file") && text.ends_with("readyok\n"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn full_log_ends_no_game() {
    let folder = Folder::new();
    let lines = "setoption name Debug Log File value log\\ngo depth 9\\n";
    let script = format!("printf '{lines}' | (ulimit -f 1; exec \"$0\")");
    let output = std::process::Command::new("bash")
        .current_dir(folder.0.path())
        .args(["-c", &script, crate::PROGRAM])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("bestmove") && text.len() > 1024, "{text}");
    assert!(folder.path("log").metadata().unwrap().len() <= 1024);
    // Results that do not fit are an error.
    let script = "ulimit -f 1; exec \"$0\" quiz page.html";
    let output = std::process::Command::new("bash")
        .current_dir(folder.0.path())
        .args(["-c", script, crate::PROGRAM])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(folder.names(), ["g.pgn", "log"]);
}
