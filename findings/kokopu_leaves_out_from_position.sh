#!/usr/bin/env bash
# kokopu 4.13.4 (npm): Lichess games and study chapters that begin at a position set up by hand. Lichess gives them the
# tag [Variant "From Position"]; they follow the rules of chess.
# Guess: kokopu reads such a game from its FEN, as chessops and python-chess do.
# Seen:  it knows no variant with that name. It counts the game, but its loop over all games skips it without a word;
#        only who asks for it by its number gets an error. With "Standard", or without the tag, kokopu reads the game.
# Why it matters: an endgame study has this tag in each chapter, so a page shows an empty collection.
# What helps: remove the tag or write "Standard" before kokopu reads the file.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . kokopu@4.13.4 >/dev/null
cat >try.cjs <<'CODE'
const { pgnRead } = require('kokopu')

const game = (white, variant) => `[White "${white}"]
[Variant "${variant}"]
[SetUp "1"]
[FEN "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"]

1... e5 2. Kd2 *

`
const games = pgnRead(game('Ann', 'Standard') + game('Bob', 'From Position') + game('Cid', 'Standard'))
console.log(`games counted: ${games.gameCount()}`)
console.log(`games in the loop: ${[...games.games()].map((one) => one.playerName('w'))}`)
try {
  console.log(`second game: ${games.game(1).playerName('w')}`)
} catch (error) {
  console.log(`second game: ${error.message}`)
}
CODE
node try.cjs >seen
cat seen
diff - seen <<'OUT'
games counted: 3
games in the loop: Ann,Cid
second game: Unknown chess game variant (From Position).
OUT
