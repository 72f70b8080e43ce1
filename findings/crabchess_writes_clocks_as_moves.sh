#!/usr/bin/env bash
# crabchess 0.1.15 (crates.io): a game with clock times, as Lichess writes it, read and written again.
# Guess: each time comes back as a comment, `{ [%clk 0:03:00] }`, and the crate reads its own file as the same game.
# Seen:  it writes the times without braces, so they stand between the moves as if they were moves. The crate reads them back
#        as six more moves, and no clock at all. Other comments keep their braces.
# Why it matters: python-chess 1.11.2 reads the moves without the times, and pgn-extract 19.04 finds no game in the file.
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
crabchess = "=0.1.15"
TOML
cat >src/main.rs <<'RUST'
use crabchess::prelude::*;

const GAME: &str = r#"[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[TimeControl "180+2"]

1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:02:59] } 2. Nf3 { [%clk 0:02:58] } 1-0
"#;

fn main() {
    let game = Pgn::try_from(GAME).unwrap();
    println!("read:  {:?}, {} clock times", game.sans, game.timer_updates.len());
    let text = String::try_from(&game).unwrap();
    println!("wrote: {}", text.trim().lines().last().unwrap());
    let again = Pgn::try_from(text.as_str()).unwrap();
    println!("again: {:?}, {} clock times", again.sans, again.timer_updates.len());
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
read:  ["e4", "e5", "Nf3"], 3 clock times
wrote: 1. e4 [%clk 0:03:00.0] 1... e5 [%clk 0:02:59.0] 2. Nf3 [%clk 0:02:58.0] 1-0
again: ["e4", "[%clk", "0:03:00.0]", "e5", "[%clk", "0:02:59.0]", "Nf3", "[%clk", "0:02:58.0]"], 0 clock times
OUT
