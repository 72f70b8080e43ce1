#!/usr/bin/env bash
# chess-lab 0.2.1 (crates.io): a game with a comment, and Black's next move with its number (`1... e5`). The PGN standard
# (8.2.2.2) asks for this number after a comment, so games with clock times from Lichess have one before each Black move.
# Guess: the crate skips comments, glyphs and such numbers and reads all moves, or returns an error.
# Seen:  it ends the game at the first `1...` after a comment, at `$4`, and at `??` after a move. It reports no error and
#        keeps the result, so White seems to have lost after one move.
# Why it matters: a whole database shrinks to its first moves, and each game looks complete.
# What helps: remove comments, glyphs and Black's numbers first (`pgn-extract -C -N`).
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
chess-lab = "=0.2.1"
TOML
cat >src/main.rs <<'RUST'
use chess_lab::core::{Variant, VariantBuilder};
use chess_lab::variants::StandardChess;

const TAGS: &str = r#"[Event "Club"]
[Site "?"]
[Date "2024.01.05"]
[Round "1"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
"#;

fn main() {
    for moves in [
        "1. f3 e5 2. g4 Qh4# 0-1",
        "1. f3 {[%clk 0:03:00]} 1... e5 {[%clk 0:03:00]} 2. g4 {[%clk 0:02:58]} 2... Qh4# {[%clk 0:02:59]} 0-1",
        "1. f3 e5 2. g4 $4 Qh4# 0-1",
        "1. f3 e5 2. g4?? Qh4# 0-1",
    ] {
        let game = StandardChess::from_pgn(&format!("{TAGS}\n{moves}\n")).unwrap();
        println!("{moves}\n  {}", game.pgn().trim().lines().last().unwrap());
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
1. f3 e5 2. g4 Qh4# 0-1
  1. f3 e5 2. g4 Qh4# 0-1
1. f3 {[%clk 0:03:00]} 1... e5 {[%clk 0:03:00]} 2. g4 {[%clk 0:02:58]} 2... Qh4# {[%clk 0:02:59]} 0-1
  1. f3 0-1
1. f3 e5 2. g4 $4 Qh4# 0-1
  1. f3 e5 2. g4 0-1
1. f3 e5 2. g4?? Qh4# 0-1
  1. f3 e5 2. g4 0-1
OUT
