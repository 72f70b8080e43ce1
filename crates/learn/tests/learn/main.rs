//! Tests of self-play, game files and training, through the library and through the program.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod datagen;
mod files;
#[path = "../../../tools/tests/tools/folder.rs"]
mod folder;
mod properties;
mod train;

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use enroque_learn::games::GameReader;
use enroque_learn::games::format::Game;
use enroque_learn::sample::Sample;
use folder::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_enroque-learn");

/// Arguments with which `datagen` always plays the same games. The caller adds the number of games.
const SELF_PLAY: [&str; 6] = ["datagen", "games.gz", "--nodes", "60", "--seed", "5"];

fn self_play(folder: &Folder, more: &[&str]) {
    folder.done(&[&SELF_PLAY[..], more].concat());
}

/// Runs a command that must succeed and returns its standard error.
fn said(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path(name)).unwrap()
}

fn games(folder: &Folder, name: &str) -> Vec<Game> {
    GameReader::open(&folder.path(name)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// The program, running in the background. Dropping this value kills the program, even if a test fails.
struct Background(Child);

impl Background {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let child = folder.command(arguments).stderr(Stdio::null()).spawn();
        Self(child.expect("the program starts"))
    }

    /// Waits until `has_happened` returns `true`, but at most five minutes, which is enough for a slow machine.
    fn wait_until(&mut self, has_happened: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(300);
        while !has_happened() {
            let has_ended = self.0.try_wait().expect("a child").is_some();
            assert!(!has_ended || has_happened(), "the program ended too early");
            assert!(Instant::now() < deadline, "nothing happened");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // On Unix this sends SIGKILL, so the program can't clean up.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// If the fuzz target's seed weren't a valid sample, fuzzing would hardly get past the checks in `from_bytes`.
#[test]
fn tree_sample_seed_is_valid() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/tree_sample/node");
    let bytes = std::fs::read(path).unwrap();
    assert!(Sample::from_bytes(&bytes.try_into().unwrap()).is_some());
}
