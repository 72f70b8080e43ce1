#!/usr/bin/env bash
# Sends what Enroque writes through other programs and libraries, and what they write back to Enroque.
#
#   scripts/try_neighbours.sh [FOLDER]      FOLDER has our programs; default: target/release
#
# Installs pinned packages into a temporary folder (from PyPI, npm, crates.io and Debian) and prints a table. Exits with
# 1 if a row isn't in docs/neighbours.md: then a program has changed, or we have. Needs python3 with venv, node 20, npm,
# cargo, and apt-get for pgn-extract.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
programs=$(realpath "${1:-target/release}")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

echo "Installing (a minute or two) ..." >&2
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet chess==1.11.2
npm install --silent --no-audit --prefix "$work" chess.js@1.4.0 chessops@0.15.1 kokopu@4.13.4 cm-chess@4.0.0 >&2
(cd "$work" && apt-get download --quiet=2 pgn-extract=19.04-1 2>/dev/null && dpkg-deb -x pgn-extract_*.deb extract)
cargo build --quiet --package enroque-study --example pgn_games
cp "$CARGO_TARGET_DIR/debug/examples/pgn_games" "$work"
mkdir "$work/crates"
cat >"$work/crates/Cargo.toml" <<TOML
[package]
name = "checks"
version = "0.0.0"
edition = "2024"
[[bin]]
name = "checks"
path = "$PWD/scripts/neighbours/checks.rs"
[dependencies]
bulletformat = "=1.8.0"
pgn-reader = "=0.29.0"
shakmaty = "=0.30.1"
viriformat = "=3.0.0"
TOML
cargo build --quiet --manifest-path "$work/crates/Cargo.toml"

analysed() { # NAME [OPTIONS]: analyses the game on standard input
    "$programs/enroque-tools" analyse - --nodes 3000 "${@:2}" >"$work/$1.pgn" 2>"$work/$1.log" || {
        cat "$work/$1.log" >&2
        exit 1
    }
}
analysed orthodox <<'GAME'
[Event "Neighbours"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]

{before} {the game} 1. e4 e5 2. Nf3 $1 {one} {two} Nc6 (2... Nf6 3. Nxe5 ( {deep} 3. d4 ) 3... d6) {three} 3. Bc4 Nd4
4. Nxe5 Qg5 5. O-O Qxe5 ½-½
GAME
analysed inner <<'GAME'
[White "A"]
[Black "B"]
[FEN "rk2r3/pppppppp/8/8/8/8/1PPPPPPP/R2K1R1R w Fkq -;"]

1. O-O O-O 2. e3 e6 *
GAME
analysed double --start 344:402 <<'GAME'
[White "A"]
[Black "B"]

1. O-O-O e6 2. e3 Be7 3. d3 O-O *
GAME
echo 'rk2r3/pppppppp/8/8/8/8/1PPPPPPP/R2K1R1R w Fkq - hmvc 0; fmvn 1; bm O-O; pv O-O O-O; id "1";' >"$work/puzzle.epd"
"$programs/enroque-learn" datagen "$work/games.gz" --games 40 --nodes 300 --seed 1 --double 100 >"$work/games.log" 2>&1 || {
    cat "$work/games.log" >&2
    exit 1
}
gzip -dc "$work/games.gz" >"$work/games.vf"

{
    "$work/venv/bin/python" scripts/neighbours/checks.py "$work" "$programs/enroque" "$work/extract/usr/games/pgn-extract"
    node scripts/neighbours/checks.mjs "$work"
    "$CARGO_TARGET_DIR/debug/checks" "$work" "$programs/enroque-learn"
} >"$work/rows"
changed=0
while IFS=$'\t' read -r program what arrives; do
    row="| $program | $what | $arrives |"
    known=""
    grep -qF "$row" docs/neighbours.md || { known="  <- not in docs/neighbours.md" changed=1; }
    echo "$row$known"
done <"$work/rows"
exit $changed
