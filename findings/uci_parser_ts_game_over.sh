#!/usr/bin/env bash
# uci-parser-ts 0.1.4 (npm): what an engine answers when it is asked for a move and the game is over.
# Guess: `bestmove 0000`, the protocol's null move, and `bestmove (none)`, which Stockfish prints, both end the search, with
#        no move or with that text as the move.
# Seen:  both lines are nothing at all (null), as any line is that the package doesn't know. `e2e4 ponder (none)` loses the
#        move, too.
# Why it matters: a program that waits for a BestMoveCommand waits for ever at the first mate or stalemate.
# What helps: look for lines that begin with "bestmove" before the package sees them.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . uci-parser-ts@0.1.4 >/dev/null
cat >try.cjs <<'CODE'
const { tryParseOne } = require('uci-parser-ts')
for (const line of ['bestmove e2e4', 'bestmove e2e4 ponder (none)', 'bestmove 0000', 'bestmove (none)', 'hello'])
  console.log(`${line}: ${JSON.stringify(tryParseOne(line))}`)
CODE
node try.cjs >seen
cat seen
diff - seen <<'OUT'
bestmove e2e4: {"move":"e2e4"}
bestmove e2e4 ponder (none): null
bestmove 0000: null
bestmove (none): null
hello: null
OUT
