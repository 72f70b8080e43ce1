#!/usr/bin/env bash
# ffish 0.7.10 (npm, Fairy-Stockfish for JavaScript): is a FEN valid?
# Guess: validateFen says 1 (FEN_OK) for the start position and for other legal ones, as the README has it, also where it
#        is the first call after `onRuntimeInitialized`.
# Seen:  -10 (invalid piece character) for every FEN, until the first Board has been made or the first game read.
#        From then on the same calls say 1.
# Why it matters: a page that checks the FEN from its address or from a text field before it makes a board refuses all of
#                 them. Tests that make a board first don't show it.
# What helps: make a board once (`new ffish.Board().delete()`) before any FEN is checked.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ffish@0.7.10 >/dev/null
cat >try.cjs <<'CODE'
delete globalThis.fetch
const ffish = require('ffish')
const fens = {
  start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  README: 'rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3'
}
const check = (when) => {
  for (const [name, fen] of Object.entries(fens)) {
    console.log(`${when}, ${name}: ${ffish.validateFen(fen)}, for chess ${ffish.validateFen(fen, 'chess')}`)
  }
}
ffish.onRuntimeInitialized = () => {
  check('at first')
  new ffish.Board().delete()
  check('after a board')
  process.exit(0)
}
CODE
node try.cjs 2>/dev/null | grep -v '^Invalid piece' >seen
cat seen
diff - seen <<'END'
at first, start: -10, for chess -10
at first, README: -10, for chess -10
after a board, start: 1, for chess 1
after a board, README: 1, for chess 1
END
