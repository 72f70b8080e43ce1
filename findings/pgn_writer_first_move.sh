#!/usr/bin/env bash
# @mliebelt/pgn-writer 1.0.5 with pgn-parser 1.4.19 and pgn-reader 1.2.30 by the same author (npm): they read a game and
# write it again.
# Guess: writeGame writes each move that `parse` found. Its README says that it takes what pgn-parser produces.
# Seen:  if the game comes from `parse`, it writes the first move and the result, without an error. If it comes from
#        pgn-reader, it writes all moves, but not the clocks ([%clk ...]) that the parser has found.
# Why it matters: a program that reads a collection and writes it again keeps tags and results, and loses the games.
# What helps: read with pgn-reader and write getGame(0); keep the clocks elsewhere.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @mliebelt/pgn-writer@1.0.5 @mliebelt/pgn-parser@1.4.19 @mliebelt/pgn-reader@1.2.30 >/dev/null
cat >try.cjs <<'CODE'
const { parse } = require('@mliebelt/pgn-parser')
const { PgnReader } = require('@mliebelt/pgn-reader')
const { writeGame } = require('@mliebelt/pgn-writer')

const pgn = `[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 {[%clk 0:59:58]} e5 {[%clk 0:59:41]} 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
`
const parsed = parse(pgn, { startRule: 'game' })
const moves = (game) => writeGame(game).trim().split('\n').pop()
console.log(`moves parsed: ${parsed.moves.length}, first clock: ${parsed.moves[0].commentDiag.clk}`)
console.log(`parser, writer: ${moves(parsed)}`)
console.log(`reader, writer: ${moves(new PgnReader({ pgn }).getGame(0))}`)
CODE
node try.cjs >seen
cat seen
diff - seen <<'OUT'
moves parsed: 7, first clock: 0:59:58
parser, writer: 1. e4 1-0
reader, writer: 1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
OUT
