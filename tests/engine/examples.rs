//! Runs the examples with wrong arguments, and with a closed pipe as their output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// With `cargo test --test`, cargo doesn't build the examples next to the program, so we build this one here.
fn example(name: &str) -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_enroque"));
    let path = program.with_file_name("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    if !path.exists() {
        let built = Command::new(env!("CARGO")).args(["build", "--example", name]).status();
        assert!(built.unwrap().success());
    }
    path
}

fn run(name: &str, arguments: &[&str], stdout: Stdio) -> Output {
    let child = Command::new(example(name)).args(arguments).stdout(stdout).stderr(Stdio::piped()).spawn();
    child.unwrap().wait_with_output().unwrap()
}

#[test]
fn wrong_arguments_are_explained() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (name, arguments) in [
        ("perft", &["x"][..]),
        ("perft", &[""]),
        ("perft", &[START, "x"]),
        ("perft", &[START, "4294967295"]),
        ("analyse", &["8/8/8/8/8/8/8/8 w - - 0 1"]),
        ("start_position", &["x"]),
        ("start_position", &["960:0"]),
        ("start_position", &["99999999999999999999"]),
    ] {
        let output = run(name, arguments, Stdio::piped());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name} {arguments:?}: {text}");
        assert!(text.starts_with("enroque: ") && text.contains("expected"), "{name} {arguments:?}: {text}");
    }
}

#[test]
fn closed_pipe_is_no_error() {
    for name in ["perft", "castling", "analyse", "start_position"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = run(name, &[], writer.into());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.as_str()), (Some(0), ""), "{name}");
    }
}
