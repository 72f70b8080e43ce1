#!/usr/bin/env bash
# chess-opening-book-reader 0.1.0 (npm): best moves in EPD lines that python-chess 1.11.2 (PyPI `chess`) writes.
# Guess: each move after `bm` is in `best_move`, since EPD takes moves in the notation of PGN.
# Seen:  castling, promotions and mating moves are gone, without a word. Where O-O and c3 are both best, c3 alone is left;
#        the others become an empty list.
# Why it matters: most mating puzzles lose their solution, and an engine that castles is marked as wrong.
# What helps: read the moves with python-chess. An empty `best_move` doesn't mean that the line had none.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . chess-opening-book-reader@0.1.0 >/dev/null
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
cat >write.py <<'CODE'
import chess
puzzles = {
    "quiet": ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", ["a1a7"]),
    "castling": ("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", ["e1g1", "c2c3"]),
    "promotion": ("8/P6k/8/8/8/8/7K/8 w - - 0 1", ["a7a8q"]),
    "mate": ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", ["h5f7"]),
}
for name, (fen, moves) in puzzles.items():
    print(chess.Board(fen).epd(id=name, bm=[chess.Move.from_uci(move) for move in moves]))
CODE
python3 write.py >puzzles.epd
cat >read.mjs <<'CODE'
import { readFileSync } from 'node:fs'
import { OpeningBooks } from 'chess-opening-book-reader'
const book = new OpeningBooks.EPD().loadBook(readFileSync('puzzles.epd'))
for (const line of readFileSync('puzzles.epd', 'utf8').trim().split('\n')) {
  const [entry] = book.find(line.split(' ', 4).join(' ') + ' 0 1')
  console.log(`${entry.id}: written ${line.match(/bm [^;]*/)}, read ${JSON.stringify(entry.best_move)}`)
}
CODE
node --no-deprecation read.mjs >seen
cat seen
diff - seen <<'OUT'
quiet: written bm Ra7, read ["Ra7"]
castling: written bm O-O c3, read ["c3"]
promotion: written bm a8=Q, read []
mate: written bm Qxf7#, read []
OUT
