#!/usr/bin/env bash
# @savi2w/chess-tcn 1.0.0 (npm): the two letters a move with which Chess.com passes games on.
# Guess: encode takes a list of moves, so decode gives the list back.
# Seen:  decode gives the first move and leaves the others out, without a word. encode does write all of them.
# Why it matters: a Chess.com game is one such text. Decoded whole, all that arrives is the first move.
# What helps: cut the text into pieces of two letters and decode each.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . @savi2w/chess-tcn@1.0.0 >/dev/null
cat >try.cjs <<'END'
const { encode, decode } = require('@savi2w/chess-tcn')
const text = encode([{ from: 'e2', to: 'e4' }, { from: 'e7', to: 'e5' }])
console.log(text, JSON.stringify(decode(text)))
console.log(text.match(/../g).map((piece) => JSON.stringify(decode(piece))).join(' '))
END
node try.cjs >seen
cat seen
diff - seen <<'END'
mC0K {"from":"e2","to":"e4"}
{"from":"e2","to":"e4"} {"from":"e7","to":"e5"}
END
