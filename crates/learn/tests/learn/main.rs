//! Tests of self-play, game files and the trainer, as a library and as a program.

mod commands;
mod files;
#[path = "../../../tools/tests/tools/folder.rs"]
mod folder;
mod properties;

use std::process::Command;

use enroque_learn::games::sample::Sample;

/// Path of the built program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_enroque-learn");

fn command() -> Command {
    Command::new(PROGRAM)
}

/// The seed of a fuzz target must reach the code behind the checks of a header.
#[test]
fn tree_sample_seed_is_valid() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/tree_sample/node");
    let bytes = std::fs::read(path).unwrap();
    assert!(Sample::from_bytes(&bytes.try_into().unwrap()).is_some());
}
