#!/usr/bin/env bash
# cm-chess 4.0.0 (npm) with gameVariant chess960: a second rook comes to stand nearer the corner.
# Guess: king on d1, rook on g1 with the right to castle; after the other rook goes to h1, O-O is still legal, since
#        neither the king nor that rook has moved.
# Seen:  the FEN goes on saying `K`, which now means the rook on h1, and moves() has no castling any more.
# Why it matters: in Chess960 games the player can't make a legal move, and a page offers the wrong ones.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . cm-chess@4.0.0 >/dev/null
cat >try.mjs <<'END'
import { Chess, GAME_VARIANT } from 'cm-chess/src/Chess.js'
const chess = new Chess({ fen: '1k6/8/8/8/7R/8/8/3K2R1 w K - 0 1', gameVariant: GAME_VARIANT.chess960 })
const show = () => console.log(chess.fen(), chess.moves().includes('O-O'))
show()
chess.move('Rhh1')
chess.move('Kc7')
show()
END
node try.mjs >seen
cat seen
diff - seen <<'END'
1k6/8/8/8/7R/8/8/3K2R1 w K - 0 1 true
8/2k5/8/8/8/8/8/3K2RR w K - 2 2 false
END
