#!/usr/bin/env bash
# chess.js 1.4.0 (npm): a castling with the king on d1.
# Guess: the library knows no Chess960, so it refuses a FEN whose king stands on d1 with castling rights, or offers no
#        castling.
# Seen:  it accepts the FEN, offers O-O, and moves the king from d1 to f1. A rook on h1 lands on g1, behind
#        the king; with the rook on g1, king and rook land on f1 and e1. By the rules they land on g1 and f1.
# Why it matters: a page that shows Chess960 games with chess.js goes on from a wrong position, and no error says so.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . chess.js@1.4.0 >/dev/null
cat >try.mjs <<'END'
import { Chess } from 'chess.js'
for (const fen of ['4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1', '4k3/8/8/8/8/8/8/R2K2R1 w KQ - 0 1']) {
  const chess = new Chess(fen)
  const move = chess.move('O-O')
  console.log(`${move.san} is ${move.lan}: ${chess.fen()}`)
}
END
node try.mjs >seen
cat seen
diff - seen <<'END'
O-O is d1f1: 4k3/8/8/8/8/8/8/R4K1R b - - 1 1
O-O+ is d1f1: 4k3/8/8/8/8/8/8/R3RK2 b - - 1 1
END
