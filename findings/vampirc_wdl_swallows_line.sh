#!/usr/bin/env bash
# vampirc-uci 0.11.1 (crates.io): `wdl` in a line of `info`.
# Guess: a word that the crate doesn't know is kept with its values, or skipped, and what follows is read.
# Seen:  everything after `wdl` becomes its value: nodes, time and the principal variation of the line are gone.
# Why it matters: a GUI that reads engines with this crate shows no line and no node count as soon as UCI_ShowWDL is on.
# What helps: leave UCI_ShowWDL off in such a GUI.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "try"
version = "0.0.0"
edition = "2021"
[dependencies]
vampirc-uci = "=0.11.1"
TOML
cat >src/main.rs <<'RUST'
use vampirc_uci::{UciInfoAttribute, UciMessage};

fn main() {
    for wdl in ["", " wdl 500 400 100"] {
        let line = format!("info depth 9 score cp 31{wdl} nodes 5000 pv e2e4 e7e5\n");
        for message in vampirc_uci::parse(&line).iter() {
            let UciMessage::Info(parts) = message else { continue };
            let has_line = parts.iter().any(|part| matches!(part, UciInfoAttribute::Pv(_)));
            let unknown = parts.iter().find_map(|part| match part {
                UciInfoAttribute::Any(name, value) => Some(format!("{name} = {value}")),
                _ => None,
            });
            println!("{} parts, with a line: {has_line}, unknown: {unknown:?}", parts.len());
        }
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
4 parts, with a line: true, unknown: None
3 parts, with a line: false, unknown: Some("wdl = 500 400 100 nodes 5000 pv e2e4 e7e5")
OUT
