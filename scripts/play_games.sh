#!/usr/bin/env bash
# Plays games on the clock in double Chess960 and fails if the engine makes an illegal move, loses on time, or breaks the
# UCI protocol in any way that fastchess notices.
#
#   scripts/play_games.sh ENGINE [GAMES] [CLOCK]
#
#   GAMES  how many (50)
#   CLOCK  seconds for the game and for each move (1+0.01)
#
# Needs fastchess on the PATH.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
engine=$(realpath "${1:?usage: scripts/play_games.sh ENGINE [GAMES] [CLOCK]}")
games=${2:-50}
clock=${3:-1+0.01}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$engine" "genfens $((games / 2 + 1)) seed 1 book None dfrc" | sed 's/^info string genfens //' >book.epd
fastchess -engine cmd="$engine" name=first -engine cmd="$engine" name=second -each proto=uci tc="$clock" option.Hash=16 \
    -variant fischerandom -games 2 -repeat -rounds $(((games + 1) / 2)) -openings file=book.epd format=epd \
    -concurrency 1 -log file=log.txt level=warn -pgnout file=games.pgn | tail -n 12
played=$(grep -c '^\[Result ' games.pgn)
[ "$played" -ge "$games" ] || { echo "play_games.sh: $played of $games games were played" >&2; exit 1; }
if grep -iE 'illegal|time forfeit|loses on time|disconnect|stall|abandoned' games.pgn log.txt || [ -s log.txt ]; then
    echo "play_games.sh: see the lines above" >&2
    cat log.txt >&2
    exit 1
fi
echo "$played games without a fault"
