//! Tests that no output file is lost when things go wrong: foreign files, links, pipes, clashes, kills, full disks.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::Folder;

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
fn pipes_are_written_through() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let text = folder.refused(&["sweep", "pipe", "--range", "0..1", "--nodes", "50"]);
    assert!(text.contains("pipe: expected a regular file"), "{text}");
    assert_eq!(folder.names(), ["pipe"]);
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap());
    folder.done(&["quiz", "pipe", "--count", "1"]);
    let page = reader.join().unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    // We make our own /dev/stdout, so that a failing test can't replace the real one.
    std::os::unix::fs::symlink("/proc/self/fd/1", folder.path("stdout")).unwrap();
    let output = folder.run(&["quiz", "stdout", "--count", "1"]);
    assert!(output.status.success() && output.stdout.starts_with(b"<!DOCTYPE html>"));
    assert_eq!(folder.names(), ["pipe", "stdout"]);
    assert!(folder.path("stdout").is_symlink());
}

#[test]
fn clashing_outputs_are_refused() {
    let folder = Folder::new();
    let sweep = ["sweep", "z.csv", "--range", "0..1", "--nodes", "50"];
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
    ] {
        let text = folder.refused(arguments);
        assert!(text.contains(complaint), "{arguments:?}: {text}");
        assert_eq!(folder.names(), before, "{arguments:?}");
    }
    assert_eq!(folder.read("z.csv"), results);
}

#[cfg(unix)]
#[test]
fn names_may_hold_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let page = std::ffi::OsStr::from_bytes(b"Gr\xfcn.html");
    let output = folder.command(&["quiz"]).arg(page).args(["--count", "1"]).output().unwrap();
    assert!(output.status.success() && folder.0.path().join(page).exists());
}

#[cfg(unix)]
#[test]
fn errors_show_no_control_characters() {
    let folder = Folder::new();
    let name = "a\u{1b}[31m\u{9b}\u{7f}\u{202e}.pgn";
    folder.write(name, "[FEN \"\u{9b}\"]\n\n1. e4 *\n");
    let missing = format!("b{name}");
    for arguments in [&["analyse", name, "--nodes", "100"][..], &["analyse", &missing]] {
        let text = folder.refused(arguments);
        let is_plain = |c: char| c == '\n' || !c.is_control() && c != '\u{202e}';
        assert!(text.contains(".pgn") && text.chars().all(is_plain), "{arguments:?}: {text:?}");
    }
}

#[test]
fn useless_numbers_are_refused() {
    let folder = Folder::new();
    for tool in [&["sweep", "y.csv"][..], &["analyse", "startpos"]] {
        let text = folder.refused(&[tool, &["--threads", "20000"]].concat());
        assert!(text.contains("expected a number of threads from 1 to 1024"), "{tool:?}: {text}");
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_loses_nothing() {
    let [full, whole] = [Folder::new(), Folder::new()];
    let sweep = ["sweep", "z.csv", "--range", "0..12", "--nodes", "50"];
    let output = full.run_on_full_disk(&sweep);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("File too large"), "{text}");
    full.done(&sweep);
    whole.done(&sweep);
    assert_eq!(full.names(), whole.names());
    for name in whole.names() {
        let read = |folder: &Folder| std::fs::read(folder.path(&name)).unwrap();
        assert!(read(&full) == read(&whole), "{name}");
    }
    // A page is written whole or not at all, and a failed attempt leaves no temporary file behind.
    assert_eq!(full.run_on_full_disk(&["quiz", "page.html"]).status.code(), Some(2));
    assert_eq!(full.names(), whole.names());
}

/// Without memory for all searches, a command says how many it could run, and which arguments to change.
#[cfg(target_os = "linux")]
#[test]
fn too_many_threads_are_refused() {
    let folder = Folder::new();
    folder.write("game.pgn", "1. e4 e5 *\n");
    let output =
        folder.run_with_limit("-v 1500000", &["analyse", "game.pgn", "--nodes", "9", "--threads", "1000"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(" searches at a time, not 1000 (cannot "), "{text}");
    assert!(text.trim_end().ends_with("); use fewer --threads or a smaller --hash"), "{text}");
}
