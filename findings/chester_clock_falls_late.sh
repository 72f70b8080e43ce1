#!/usr/bin/env bash
# chester 0.3.1 (PyPI, tournaments of UCI engines): a game of 1 s with 2 s for each move. White thinks 1.5 s for its first
# move, then for each of the others.
# Guess: White loses on time at its first move, as on a real clock: the two seconds come after the move, and White never
#        gets there.
# Seen:  chester first adds the two seconds and then looks at the clock. So White plays on with 1.5 s and mates: 1-0. Without
#        an increment, White does lose on time.
# Why it matters: a tournament doesn't show that an engine oversteps its time, least of all with a short time and a long
#                 increment.
# What helps: look at the engine's own times, or play with cutechess or fastchess.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chester==0.3.1 chess==1.11.2
# An engine that knows its moves by heart.
cat >engine.py <<'CODE'
import os
import sys
import time

name = os.path.basename(sys.argv[0])
pause, *moves = {"slow": [1.5, "e2e4", "d1h5", "f1c4", "h5f7"], "fast": [0, "e7e5", "b8c6", "g8f6"]}[name]
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print(f"id name {name}\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        time.sleep(pause)
        print("bestmove", moves.pop(0), flush=True)
    elif word == "quit":
        break
CODE
for name in slow fast; do
    { echo "#!$(command -v python3)" && cat engine.py; } >$name
    chmod +x $name
done
python3 - >seen <<'CODE'
from chester.match import play_match
from chester.timecontrol import TimeControl

for increment in (0, 2):
    game = play_match("./slow", "./fast", TimeControl(1, increment))
    players = f"{game.headers['White']} - {game.headers['Black']}"
    print(f"1 s + {increment} s: {players} {game.headers['Result']}, {game.end().ply()} half-moves")
CODE
cat seen
diff - seen <<'OUT'
1 s + 0 s: slow - fast 0-1, 0 half-moves
1 s + 2 s: slow - fast 1-0, 7 half-moves
OUT
