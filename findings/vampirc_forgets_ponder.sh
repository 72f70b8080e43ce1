#!/usr/bin/env bash
# vampirc-uci 0.11.1 (crates.io): `go ponder` with clocks, as every GUI sends it.
# Guess: the message has both, the clocks and the wish to ponder; it comes back as it was when it is written again.
# Seen:  `go ponder` alone is a message to ponder. With clocks, "ponder" is gone: the message is that of a plain `go`.
# Why it matters: an engine that reads UCI with this crate answers on the opponent's time, and the GUI takes its
#         bestmove for a fault or for the answer to the next position.
# What helps: such an engine should not offer the option Ponder.
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
    for line in ["go ponder", "go ponder wtime 60000 btime 60000", "go wtime 60000 btime 60000"] {
        for message in vampirc_uci::parse(&format!("{line}\n")).iter() {
            println!("{line}: {}", message.to_string().trim_end());
        }
    }
}
RUST
cargo run --quiet >seen
cat seen
diff - seen <<'OUT'
go ponder: go ponder
go ponder wtime 60000 btime 60000: go wtime 60000 btime 60000
go wtime 60000 btime 60000: go wtime 60000 btime 60000
OUT
