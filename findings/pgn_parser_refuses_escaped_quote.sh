#!/usr/bin/env bash
# pgn-parser 2.2.1 (npm): a tag value with a quotation mark, escaped as section 7 of the PGN standard says.
# Guess: a value such as "The \"Patzer\" Cup" is read, since the standard has one rule for it.
# Seen:  a syntax error at the first letter after the escaped mark, and no game of the file is read.
# Why it matters: one nickname in quotation marks makes a whole file unreadable.
# What helps: write typographic or single quotation marks into tags.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . pgn-parser@2.2.1 >/dev/null
cat >try.cjs <<'CODE'
const { parse } = require('pgn-parser')
const other = '[Event "Town Cup"]\n\n1. e4 *\n\n'
for (const event of ["The 'Patzer' Cup", 'The \\"Patzer\\" Cup']) {
  let answer
  try {
    answer = `${parse(`${other}[Event "${event}"]\n\n1. d4 *\n`).length} games`
  } catch (error) {
    answer = error.message
  }
  process.stdout.write(`${event}: ${answer}\n`)
}
CODE
node try.cjs >seen
cat seen
diff - seen <<'OUT'
The 'Patzer' Cup: 2 games
The \"Patzer\" Cup: Expected "]" but "P" found.
OUT
