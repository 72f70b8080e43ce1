#!/usr/bin/env bash
# chess.js 1.4.0 (npm) writes a game that begins with a move of Black; kokopu 4.13.4, cm-pgn 5.0.0 and pgn-parser 2.2.1 (npm)
# read it, and chessops 0.15.1 and python-chess 1.11.2 too.
# Guess: all of them read the same moves.
# Seen:  chess.js writes `30. ... e5`, with a blank before the dots. kokopu and cm-pgn refuse the game, and in pgn-parser
#        Black's first move is called "... e5". The others read it. PGN says that a period is a token by itself, and blanks
#        between tokens don't count (section 7 of the standard); its own export has `30... e5`.
# Why it matters: puzzles and analyses from a set-up position often begin with Black. Their PGN from one
#                 widespread library can't be read by others.
# What helps: take the blank out (30. ... to 30...) before such a program reads the game.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  chess.js@1.4.0 kokopu@4.13.4 cm-pgn@5.0.0 pgn-parser@2.2.1 chessops@0.15.1 >/dev/null
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
cat >try.mjs <<'CODE'
import { execFileSync } from 'node:child_process'
import { Chess } from 'chess.js'
import { parsePgn } from 'chessops/pgn'
import { Pgn } from 'cm-pgn/src/Pgn.js'
import { pgnRead } from 'kokopu'
import pgnParser from 'pgn-parser'

const python = `import chess.pgn, io, sys
print(*[node.san() for node in chess.pgn.read_game(io.StringIO(sys.argv[1])).mainline()], sep="|")`
const readers = {
  'python-chess': (pgn) => execFileSync('python3', ['-c', python, pgn], { encoding: 'utf8' }).trim().split('|'),
  chessops: (pgn) => [...parsePgn(pgn)[0].moves.mainline()].map((move) => move.san),
  kokopu: (pgn) => pgnRead(pgn, 0).mainVariation().nodes().map((node) => node.notation()),
  'cm-pgn': (pgn) => new Pgn(pgn).history.moves.map((move) => move.san),
  'pgn-parser': (pgn) => pgnParser.parse(pgn)[0].moves.map(({ move }) => move)
}
const game = new Chess('4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 30')
for (const move of ['e5', 'e4', 'Kd7']) game.move(move)
const written = game.pgn()
for (const pgn of [written, written.replace('. ...', '...')]) {
  console.log(pgn.split('\n').pop())
  for (const [name, read] of Object.entries(readers)) {
    let moves
    try {
      moves = read(pgn).join(', ')
    } catch {
      moves = 'refused'
    }
    console.log(`  ${name}: ${moves}`)
  }
}
CODE
node --no-deprecation try.mjs >seen
cat seen
diff - seen <<'END'
30. ... e5 31. e4 Kd7 *
  python-chess: e5, e4, Kd7
  chessops: e5, e4, Kd7
  kokopu: refused
  cm-pgn: refused
  pgn-parser: ... e5, e4, Kd7
30... e5 31. e4 Kd7 *
  python-chess: e5, e4, Kd7
  chessops: e5, e4, Kd7
  kokopu: e5, e4, Kd7
  cm-pgn: e5, e4, Kd7
  pgn-parser: e5, e4, Kd7
END
