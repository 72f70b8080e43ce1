#!/usr/bin/env bash
# chess 1.5.1 (npm, node-chess): the moves of a position that is loaded from a FEN.
# Guess: the fields for castling and en passant count, as the one for the side to move does.
# Seen:  of these three only the side is read, and all pieces count as never moved. So castling is offered without the
#        right to it, a capture en passant is missing, and a pawn may take two steps from where it stands, e5 to e7.
# Why it matters: a page that loads a position from an engine offers and plays illegal moves, and refuses legal ones.
# What helps: play the game from its first move; then the package knows what has moved.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . chess@1.5.1 >/dev/null
cat >try.mjs <<'CODE'
import chess from 'chess'
const fens = [
  '4k3/8/8/8/8/8/8/4K2R w K - 0 1',
  '4k3/8/8/8/8/8/8/4K2R w - - 0 1',
  '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2',
  '4k3/8/8/4p3/8/8/8/4K3 b - - 0 1',
]
for (const fen of fens) {
  // Moves of pawns, and castlings.
  const { notatedMoves } = chess.fromFEN(fen, { PGN: true }).getStatus()
  const moves = Object.keys(notatedMoves).filter((move) => /^[a-hO]/.test(move))
  console.log(`${fen}: ${moves.join(' ')}`)
}
const game = chess.fromFEN(fens[2])
game.move('e7')
console.log(`after e7: ${game.getFen()}`)
CODE
node try.mjs >seen
cat seen
diff - seen <<'OUT'
4k3/8/8/8/8/8/8/4K2R w K - 0 1: O-O
4k3/8/8/8/8/8/8/4K2R w - - 0 1: O-O
4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2: e6 e7
4k3/8/8/4p3/8/8/8/4K3 b - - 0 1: e4 e3
after e7: 4k3/4P3/8/3p4/8/8/8/4K3
OUT
