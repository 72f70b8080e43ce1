#!/usr/bin/env bash
# @mliebelt/pgn-parser 1.4.19 (npm, the reader of PgnViewerJS): the types of an evaluation in a comment.
# Guess: `[%eval 0.17]`, `[%eval +0.17]` and `[%eval 0.17,12]`, with the depth that others write behind the comma, all give
#        the number 0.17; a mate is text.
# Seen:  only the first is a number. A plus sign or a depth makes the whole value text, "+0.17" or "0.17,12".
# Why it matters: a chart of numbers has gaps where White is better, if the program that judged the game writes the sign.
# What helps: write no plus sign and no depth, or read the value with parseFloat.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @mliebelt/pgn-parser@1.4.19 >/dev/null
cat >try.mjs <<'CODE'
import { parse } from '@mliebelt/pgn-parser'
for (const value of ['0.17', '-0.17', '+0.17', '0.17,12', '#-3']) {
  const [move] = parse(`1. e4 {[%eval ${value}]} *`, { startRule: 'game' }).moves
  process.stdout.write(`${value}: ${typeof move.commentDiag.eval} ${move.commentDiag.eval}\n`)
}
CODE
node try.mjs >seen
cat seen
diff - seen <<'OUT'
0.17: number 0.17
-0.17: number -0.17
+0.17: string +0.17
0.17,12: string 0.17,12
#-3: string #-3
OUT
