#!/usr/bin/env bash
# vampirc-uci 0.11.1 (crates.io): a Chess960 position whose FEN names the files of the rooks.
# Guess: the crate only splits words, so it takes any FEN of six fields, or reports an error.
# Seen:  with `KQkq` the message is read, with `HFhf` for the same rights there is no message at all, and no error: `parse`
#        returns an empty list.
# Why it matters: GUIs send Shredder-FEN for Chess960. An engine that uses this crate misses the position and goes on playing
#         in the one before.
# What helps: send X-FEN, or use `parse_strict`, which at least fails.
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
fn main() {
    for rights in ["KQkq", "HFhf"] {
        let placement = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR";
        let line = format!("position fen {placement} w {rights} - 2 9\n");
        let strict = vampirc_uci::parse_strict(&line).is_ok();
        println!("{rights}: {} messages, strict: {strict}", vampirc_uci::parse(&line).len());
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
KQkq: 1 messages, strict: true
HFhf: 0 messages, strict: false
OUT
