#!/usr/bin/env bash
# fen-validator 2.0.1 (npm): the move number of a long game.
# Guess: the last field may be any number from 1 on, and the clock before it any number from 0 on.
# Seen:  `true` up to move 99, `false` from move 100 on, whatever the clock is. The board is the same.
# Why it matters: games between engines often last more than a hundred moves. A page that checks a pasted FEN with this
#         package refuses their positions, and its user looks for a mistake in the pieces.
# What helps: write a smaller move number before the check; nothing else in the position depends on it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . fen-validator@2.0.1 >/dev/null
cat >try.mjs <<'CODE'
import validate from 'fen-validator'
for (const counters of ['0 1', '80 99', '0 100', '80 123']) {
  console.log(`${counters}: ${validate(`4k3/8/8/8/8/8/8/4K2R w K - ${counters}`)}`)
}
CODE
node try.mjs >seen
cat seen
diff - seen <<'OUT'
0 1: true
80 99: true
0 100: false
80 123: false
OUT
