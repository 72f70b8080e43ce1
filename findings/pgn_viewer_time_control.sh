#!/usr/bin/env bash
# @lichess-org/pgn-viewer 2.5.9 (npm): tag TimeControl with a number of moves.
# Guess: "40/7200:3600" (40 moves in two hours, then one hour) starts both clocks at 7200 seconds, or shows no clock.
# Seen:  the clocks start at 40 seconds, and "40/5400+30:1800+30" is 40 seconds with 30 a move. "300+3" is right.
# Why it matters: games of classical chess and of engine tournaments have such tags. The viewer starts with a
#                 clock of 40 seconds for White and Black.
# The package's modules import each other without ".js", which node refuses; the hook below adds it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --prefix . @lichess-org/pgn-viewer@2.5.9 2>/dev/null >&2
cat >try.mjs <<'END'
import { register } from 'node:module'
const hook = `export const resolve = (name, context, next) =>
  next(name, context).catch((error) => { if (name[0] != '.') throw error; return next(name + '.js', context) })`
register('data:text/javascript,' + encodeURIComponent(hook))
const { makeGame } = await import('@lichess-org/pgn-viewer/pgn')
for (const tag of ['300+3', '40/7200:3600', '40/5400+30:1800+30']) {
  const game = makeGame(`[TimeControl "${tag}"]\n\n1. e4 *\n`)
  console.log(tag, JSON.stringify(game.metadata.timeControl), game.initial.clocks.white)
}
END
node try.mjs >seen
cat seen
diff - seen <<'END'
300+3 {"initial":300,"increment":3} 300
40/7200:3600 {"initial":40,"increment":0} 40
40/5400+30:1800+30 {"initial":40,"increment":30} 40
END
