#!/usr/bin/env bash
# polyglot-book-rs 0.1.0 (crates.io): a Polyglot book that holds the answer 1... c5 to 1. e4, asked with a FEN.
# Guess: the crate finds the move, whether the FEN's en passant field says `e3` or `-`. Its README promises the hash of the
#        official specification. There the file counts only if a pawn stands ready to take. Its own example (book_format.html
#        in Debian's polyglot) is this FEN with `e3`, and the key 823c9b50fd114196.
# Seen:  any square in the field goes into the hash. So with `e3` the position isn't in the book; with `-` it is. The crate
#        answers like a book that ends there, without an error.
# Why it matters: the FEN standard asks for `e3` after each double step, and many programs write it. With such FENs an engine
#                 is out of book after 1. e4, 1. d4 and 1. c4.
# What helps: write `-` into the field where no pawn can take.
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
polyglot-book-rs = "=0.1.0"
TOML
cat >src/main.rs <<'RUST'
use polyglot_book_rs::{polyglot_hash_from_fen, PolyglotBook};

fn main() {
    let c7c5: u16 = 50 << 6 | 34;
    let mut entry = 0x823c_9b50_fd11_4196_u64.to_be_bytes().to_vec();
    entry.extend(c7c5.to_be_bytes());
    entry.extend([0, 10, 0, 0, 0, 0]);
    std::fs::write("book.bin", entry).unwrap();
    let book = PolyglotBook::load("book.bin").unwrap();
    for field in ["-", "e3"] {
        let fen = format!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {field} 0 1");
        let found = book.get_best_move_from_fen(&fen).map(|entry| entry.move_string);
        println!("{field}: key {:016x}, book move {found:?}", polyglot_hash_from_fen(&fen).unwrap());
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
-: key 823c9b50fd114196, book move Some("c7c5")
e3: key 4d0dde8ef7cc031f, book move None
OUT
