#!/usr/bin/env bash
# kokopu 4.13.4 (npm): reads a game and writes it again.
# Guess: all tags come back, or at least all that the PGN standard lists, and so does a clock in a comment.
# Seen:  the clock comes back, and TimeControl doesn't. Other tags from the standard are gone, too (EventDate, Section,
#        Stage, Board, Mode, PlyCount, times, player types), and so are teams and FIDE numbers. No error.
# Why it matters: without TimeControl no reader can tell how long a move took. A match between engines loses its Board
#        and WhiteType, a league its teams.
# What helps: keep the tags as text and put the missing ones back.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . kokopu@4.13.4 >/dev/null
cat >try.cjs <<'CODE'
const { pgnRead, pgnWrite } = require('kokopu')

const pgn = `[Event "Club"]
[Site "Bern"]
[Date "2024.03.05"]
[Round "1"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2000"]
[ECO "C20"]
[Termination "normal"]
[Annotator "Cid"]
[EventDate "2024.03.01"]
[Section "Open"]
[Stage "Final"]
[Board "2"]
[Time "19:00:00"]
[UTCDate "2024.03.05"]
[UTCTime "18:00:00"]
[TimeControl "300+3"]
[Mode "OTB"]
[PlyCount "1"]
[WhiteType "human"]
[WhiteTeam "Club A"]
[WhiteFideId "123"]

1. e4 {[%clk 0:04:58]} 1-0
`
const names = (text) => [...text.matchAll(/^\[(\w+) "/gm)].map((match) => match[1])
const written = pgnWrite(pgnRead(pgn).game(0))
const left = new Set(names(written))
console.log(`lost: ${names(pgn).filter((name) => !left.has(name)).join(' ')}`)
console.log(`moves: ${written.trim().split('\n').pop()}`)
CODE
node try.cjs >seen
cat seen
diff - seen <<'OUT'
lost: EventDate Section Stage Board Time UTCDate UTCTime TimeControl Mode PlyCount WhiteType WhiteTeam WhiteFideId
moves: 1. e4 {[%clk 0:04:58]} 1-0
OUT
