#!/usr/bin/env bash
# uciengine 0.1.33 (crates.io): the line (`pv`) that an engine sends with its score. The crate's short description says that it
# doesn't support analysis, but it has a public module `analysis`, with an example that prints such a line.
# Guess: the crate keeps a line that fits its buffer for ten moves, and cuts longer ones after the tenth.
# Seen:  it looks for a space to cut at, from the end, before it looks whether it has to cut. So each line loses its last
#        move, and a line of one move becomes no line at all, as with a mate in one. The best move and the ponder move,
#        kept apart, are right.
# Why it matters: a line that ends in mate is shown without the mate, and looks like a line that only a deeper search ends.
# What helps: take a line of one or two moves from `bestmove()` and `ponder()`; for the others read the engine's own words.
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
uciengine = "=0.1.33"
TOML
cat >src/main.rs <<'RUST'
use uciengine::analysis::AnalysisInfo;

fn main() {
    for line in ["h5f7", "f2f3 e7e5", "f2f3 e7e5 g2g4 d8h4"] {
        let mut info = AnalysisInfo::new();
        info.parse(format!("info depth 5 score cp 10 nodes 900 pv {line}")).unwrap();
        println!("{line}: {:?}, best {:?}, ponder {:?}", info.pv(), info.bestmove(), info.ponder());
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
h5f7: None, best Some("h5f7"), ponder None
f2f3 e7e5: Some("f2f3"), best Some("f2f3"), ponder Some("e7e5")
f2f3 e7e5 g2g4 d8h4: Some("f2f3 e7e5 g2g4"), best Some("f2f3"), ponder Some("e7e5")
OUT
