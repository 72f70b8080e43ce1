#!/usr/bin/env bash
# sacrifice 0.2.0 (crates.io): a Chess960 game with its start in the tag FEN, read and written again.
# Guess: the crate, built on shakmaty, reads the start that the tag names, or reports that it can't.
# Seen:  a FEN that isn't one of orthodox chess is kept as a tag, but the moves begin at the ordinary start. What isn't legal
#        there is skipped without a word. Here 3. Qe3 Nf6 and 6. Qxd4 are gone; below the Chess960 FEN stands a Spanish game
#        with wrong numbers for its later moves.
# Why it matters: the written file looks whole, but holds moves that nobody played in this order.
# What helps: look for [Variant "Chess960"] first, and leave such games to shakmaty itself.
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
sacrifice = "=0.2.0"
TOML
cat >src/main.rs <<'RUST'
const GAME: &str = r#"[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1"]

1. e4 e5 2. Nf3 Nc6 3. Qe3 Nf6 4. Bb5 Nd4 5. Nxd4 exd4 6. Qxd4 1-0
"#;

fn main() {
    println!("{}", sacrifice::read_pgn(GAME));
}
RUST
cargo run --quiet | grep -e FEN -e '^1' >seen
cat seen
diff - seen <<'OUT'
[FEN "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1"]
1. e4 e5 2. Nf3 Nc6 3. Bb5 Nd4 4. Nxd4 exd4 1-0
OUT
