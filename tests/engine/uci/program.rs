//! The program around the protocol: arguments, exit codes, end of input, low memory, the log.

use crate::common::program::{Session, field, printed, run};

#[test]
fn argument_lines_run_in_order() {
    let text = printed(&["position sp 518", "go depth 3", "d"]);
    let (search, board) = text.split_once("bestmove").expect("a search");
    assert!(search.contains("depth 3") && board.contains("Shredder"));
    assert!(printed(&["go", "perft", "3"]).contains("Nodes searched: 8902"));
    assert!(printed(&["uci", "quit"]).ends_with("uciok\n"));
    assert!(printed(&["go infinite", "stop"]).contains("bestmove"));
}

/// The start position has no mate in one or two, so only `stop` or the end of the input ends the search.
#[test]
fn missing_mate_ends_with_the_input() {
    for lines in [&["go mate 1", "stop", "go mate 1", "stop"][..], &["go mate 2", "d"]] {
        let text = printed(lines);
        assert_eq!(text.matches("bestmove").count(), lines.len() / 2, "{lines:?}");
    }
    let mut session = Session::start();
    session.send("go mate 1").send("stop").until("bestmove");
    session.send("go mate 2").close_input();
    session.until("bestmove");
    assert!(session.end().success());
    // If there is a mate, the next `go` must not stop `go mate`, but wait until it has found the mate.
    let mate = printed(&["position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2", "go depth 1"]);
    assert!(mate.contains("score mate 2"), "{mate}");
}

#[test]
fn debug_log_records_every_line() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("game.log");
    let option = format!("setoption name Debug Log File value {}", log.display());
    for lines in [5, 9] {
        let mut session = Session::start();
        session.send(&option).send("position startpos").send("go depth 1");
        session.until("bestmove");
        session.send("setoption name Debug Log File value <empty>").send("go depth 1");
        session.until("bestmove");
        let text = std::fs::read_to_string(&log).unwrap();
        assert!(text.contains(" >> go depth 1\n") && text.contains(" << bestmove "), "{text}");
        assert_eq!(text.lines().filter(|line| !line.contains("<< info ")).count(), lines, "{text}");
    }
    std::fs::write(&log, "dear diary").unwrap();
    let mut session = Session::start();
    let said = session.ask(&option);
    assert!(said.iter().any(|line| line.contains("game.log: holds something else")), "{said:?}");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "dear diary");
}

/// A CPU raises SIGILL when it lacks an instruction that the program was built for. We send the signal ourselves.
#[cfg(unix)]
#[test]
fn illegal_instruction_is_explained() {
    use std::process::{Command, Stdio};
    let mut child = crate::common::program::command()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once the program answers, its signal handler is installed.
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"isready\n").unwrap();
    let mut ready = [0; 7];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-ILL", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("built for a newer CPU"), "{output:?}");
}

#[test]
fn limited_search_finishes_after_eof() {
    for (go, ends) in [
        ("go depth 9", true),
        ("go nodes 20000", true),
        ("go infinite", false),
        ("go infinite nodes 100", false),
        ("go", false),
    ] {
        let mut session = Session::start();
        session.send("position startpos").send(go);
        session.close_input();
        let lines = session.until("bestmove");
        let depth =
            lines.iter().rev().nth(1).map_or(0, |info| field(info, "depth").unwrap().parse().unwrap());
        assert!(!ends || depth >= 8, "{go}: {lines:?}");
        assert!(session.end().success());
    }
}

#[test]
fn argument_lines_set_exit_code() {
    for (lines, code) in [
        (&["position startpos", "go depth 1", "quit"][..], 0),
        (&["setoption name Hash value 8", "d"], 0),
        (&["position startpos moves e2e5", "go depth 1"], 2),
        (&["position startpos", "go depth x"], 2),
        (&["setoption name Hush value 8", "d"], 2),
        (&["uci", "nonsense here"], 2),
        (&["go infinite", "stop"], 0),
        (&["go ponder depth 9", "ponderhit"], 0),
    ] {
        assert_eq!(run(lines).status.code(), Some(code), "{lines:?}");
    }
}

/// If an allocation fails, the program says so, and either works with less memory or exits with an error.
#[cfg(target_os = "linux")]
#[test]
fn low_memory_is_handled() {
    use std::process::{Command, Stdio};
    for kilobytes in (60_000..260_000).step_by(10_000) {
        let script = format!("ulimit -v {kilobytes}; exec '{}'", env!("CARGO_BIN_EXE_enroque"));
        let mut shell = Command::new("sh");
        let child = shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.stderr(Stdio::piped()).spawn().unwrap();
        let lines = "setoption name Threads value 4\ngo depth 5\nucinewgame\ngo depth 5\n";
        // With too little memory the program may have ended before it reads all lines, so we ignore a write error.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), lines.as_bytes());
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let answers = printed.lines().filter(|line| line.starts_with("bestmove")).count();
        let code = output.status.code();
        let is_reported = String::from_utf8(output.stderr).unwrap().starts_with("enroque: ");
        assert!(
            code == Some(0) && answers == 2 || code == Some(2) && answers == 0 && is_reported,
            "{kilobytes}: {code:?}, {answers} answers: {printed}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_log_ends_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "ulimit -f 1; exec '{}' 'setoption name Debug Log File value log' 'go depth 9' 'go depth 10'",
        crate::PROGRAM
    );
    let output =
        std::process::Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.matches("bestmove").count() == 2, "{text}");
    assert!(text.len() > 1024 && folder.path().join("log").metadata().unwrap().len() <= 1024, "{text}");
}

/// Opening a pipe that nobody writes to would block the engine forever.
#[cfg(unix)]
#[test]
fn engine_waits_for_no_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("KQvK.rtbw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let option = format!("setoption name SyzygyPath value {}", folder.path().display());
    let text = printed(&[&option, "isready"]);
    assert!(text.contains("KQvK.rtbw: expected a Syzygy file") && text.ends_with("readyok\n"), "{text}");
    let text = printed(&[&format!("setoption name Debug Log File value {}", pipe.display()), "isready"]);
    assert!(text.contains("KQvK.rtbw: nobody reads this pipe") && text.ends_with("readyok\n"), "{text}");
}
