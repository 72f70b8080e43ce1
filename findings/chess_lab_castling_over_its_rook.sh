#!/usr/bin/env bash
# chess-lab 0.2.1 (crates.io): castling in Chess960, which its README lists among its variants.
# Guess: a king may castle if no other piece stands on its way or on the rook's, as FIDE's guidelines for Chess960 say
#        ("except for the king and castling rook").
# Seen:  the castling rook itself is in the way if it stands on the king's path or target, as on g1 or d1. But where the
#        other rook stands on the castling rook's target, chess-lab castles and takes that rook off the board. With kings,
#        rooks and pawns on the board, in all line-ups, it refuses 55 of 107 legal castlings and plays 4 of 5 illegal ones.
# Why it matters: games from many of the 960 starts can't be replayed past the castling, and a program that asks chess-lab
#                 calls its opponent's castling illegal.
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
use chess_lab::variants::Chess960;

fn main() {
    for (rank, castling) in [("R3K2R", "O-O"), ("R4KR1", "O-O"), ("RK2R3", "O-O"), ("3R1K1R", "O-O-O"), ("R1KR4", "O-O-O")] {
        let mut game = Chess960::from_fen(&format!("4k3/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQ - 0 1")).unwrap();
        let answer = match game.move_piece(castling) {
            Ok(_) => game.fen(),
            Err(error) => format!("{error:?}"),
        };
        println!("{rank} {castling}: {answer}");
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
R3K2R O-O: 4k3/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b - - 1 1
R4KR1 O-O: Illegal("O-O")
RK2R3 O-O: Illegal("O-O")
3R1K1R O-O-O: Illegal("O-O-O")
R1KR4 O-O-O: 4k3/pppppppp/8/8/8/8/PPPPPPPP/2KR4 b - - 1 1
OUT
