#!/usr/bin/env bash
# chess-pgn-parser 1.3.9 (npm): `1.e4` without a blank, and a variation.
# Guess: a blank after the move number changes nothing, since PGN may be imported without it; a variation is left out or
#        kept apart.
# Seen:  without the blank all of White's moves are gone and Black's stand alone in the list. The moves of a variation
#        stand in the main line, the last one with its parenthesis: "d4)". No error is raised.
# Why it matters: the answer looks like a game. Whoever counts or replays its moves gets another one.
# What helps: write the blank after the number, and no variations, for readers that use this package.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . chess-pgn-parser@1.3.9 >/dev/null
cat >try.cjs <<'CODE'
const { pgn2json } = require('chess-pgn-parser')
for (const text of ['1. e4 e5 2. Nf3 Nc6 *', '1.e4 e5 2.Nf3 Nc6 *', '1. e4 (1. d4) 1... e5 *']) {
  process.stdout.write(`${text}: ${JSON.stringify(JSON.parse(pgn2json(text)).moves)}\n`)
}
CODE
node try.cjs >seen
cat seen
diff - seen <<'OUT'
1. e4 e5 2. Nf3 Nc6 *: ["e4","e5","Nf3","Nc6"]
1.e4 e5 2.Nf3 Nc6 *: ["e5","Nc6"]
1. e4 (1. d4) 1... e5 *: ["e4","d4)","e5"]
OUT
