#!/usr/bin/env bash
# chess 3.2.0 (crates.io): moves as PGN files have them, read with `ChessMove::from_san`.
# Guess: the function takes the letters of the PGN standard: `a8=Q`, `exd6` for a capture en passant, and `O-O+` for
#        castling that gives check (8.2.3).
# Seen:  it takes none of them. Its own forms are `a8Q` and `exd6 e.p.`, and castling only without a sign. For the standard's
#        it says that the move isn't legal SAN. Its documentation calls it SAN and names no such difference.
# Why it matters: an engine or tool that reads PGN with it gives up most games with a promotion, and the error blames the file.
# What helps: remove `=`, and the sign after castling; try a pawn's capture with ` e.p.` when it fails without. Or read with
#             shakmaty.
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
chess = "=3.2.0"
TOML
cat >src/main.rs <<'RUST'
use chess::{Board, ChessMove};
use std::str::FromStr;

fn main() {
    for (fen, forms) in [
        ("1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1", ["a8=Q", "a8Q"]),
        ("1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1", ["axb8=N", "axb8N"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", ["exd6", "exd6 e.p."]),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", ["O-O+", "O-O"]),
    ] {
        let board = Board::from_str(fen).unwrap();
        for san in forms {
            let answer = match ChessMove::from_san(&board, san) {
                Ok(found) => found.to_string(),
                Err(error) => error.to_string(),
            };
            println!("{san}: {answer}");
        }
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
a8=Q: The string specified does not contain a valid SAN notation move
a8Q: a7a8q
axb8=N: The string specified does not contain a valid SAN notation move
axb8N: a7b8n
exd6: The string specified does not contain a valid SAN notation move
exd6 e.p.: e5d6
O-O+: The string specified does not contain a valid SAN notation move
O-O: e1g1
OUT
