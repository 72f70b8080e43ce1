#!/usr/bin/env bash
# chess960.js 0.2.0 (npm): castling in Chess960 if king or rook already stands where castling takes it.
# Guess: it may castle; the other piece alone moves. The library is made for Chess960 and reads such games.
# Seen:  with the rook on f1 or the king on g1 it finds no castling, and load_pgn refuses the game. If both move, it
#        castles.
# Why it matters: a page with this library can't show such games, and its players can't castle in them.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts chess960.js@0.2.0
cat >game.cjs <<'END'
const { Chess } = require("chess960.js");
const games = {
  "both move": ["bnrbknqr/pppppppp/8/8/8/8/PPPPPPPP/BNRBKNQR w KQkq - 0 1", "1. Ng3 Ng6 2. f4 f5 3. Qf2 Qf7", "4. O-O"],
  "the rook stays on f1": ["rnqbkrbn/pppppppp/8/8/8/8/PPPPPPPP/RNQBKRBN w KQkq - 0 1", "1. f3 f6 2. Bf2 Bf7", "3. O-O"],
  "the king stays on g1": ["rbnqbnkr/pppppppp/8/8/8/8/PPPPPPPP/RBNQBNKR w KQkq - 0 1", "1. Ng3 Ng6", "2. O-O"],
};
for (const [name, [fen, moves, castling]] of Object.entries(games)) {
  const read = (text) => new Chess().load_pgn(`[Variant "Chess960"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n${text} *`);
  console.log(`${name}: without castling ${read(moves)}, with castling ${read(`${moves} ${castling}`)}`);
}
END
node game.cjs | tee seen
diff - seen <<'END'
both move: without castling true, with castling true
the rook stays on f1: without castling true, with castling false
the king stays on g1: without castling true, with castling false
END
