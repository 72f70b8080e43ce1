#!/usr/bin/env bash
# cm-pgn 5.0.0 (npm): reads a game and writes it again.
# Guess: the result that ends the moves stands there again, whether or not a tag says the same, as PGN asks of each game.
# Seen:  it stands there only with a tag Result. Without that tag, a draw that was read is written without any result.
# Why it matters: such games come from boards that export the moves alone. Written one after another, they run into each
#                 other, since the result is what ends a game, and nobody knows who won.
# What helps: set the tag Result before `render`.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . cm-pgn@5.0.0 >/dev/null
cat >try.mjs <<'CODE'
import { Pgn } from 'cm-pgn'
for (const tags of ['[Result "1/2-1/2"]\n\n', '']) console.log(new Pgn(`${tags}1. e4 e5 1/2-1/2`).render().trim())
CODE
node try.mjs >seen
cat seen
diff - seen <<'OUT'
[Result "1/2-1/2"]

1. e4 e5 1/2-1/2
1. e4 e5
OUT
