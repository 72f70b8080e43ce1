#!/usr/bin/env bash
# ffish 0.7.10 (npm): a game with the line ends of Windows (CR LF).
# Guess: readGamePGN finds the same moves as with LF; PGN allows either.
# Seen:  it loses the last move of a line, here 3. d4 and 4... g6, reports them on stderr, and goes on with the moves that
#        still can be played: two white moves in a row become a game that nobody played.
# Why it matters: PGN files from Windows programs have such line ends, and a page doesn't show stderr.
# What helps: replace CR LF by LF before.
# The package loads its program by fetch where there is one, which fails in node 20; so try.cjs removes fetch.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . ffish@0.7.10 >/dev/null
cat >try.cjs <<'END'
delete globalThis.fetch
const ffish = require('ffish')
ffish.onRuntimeInitialized = () => {
  for (const [name, end] of [['LF', '\n'], ['CR LF', '\r\n']]) {
    const lines = ['[Event "Test"]', '', '1. e4 e5 2. Nf3 d6 3. d4', 'Nf6 4. Nc3 g6', '*', '']
    console.log(name, ffish.readGamePGN(lines.join(end)).mainlineMoves())
  }
  process.exit(0)
}
END
node try.cjs 2>/dev/null >seen
cat seen
diff - seen <<'END'
LF e2e4 e7e5 g1f3 d7d6 d2d4 g8f6 b1c3 g7g6
CR LF e2e4 e7e5 g1f3 d7d6 b1c3
END
