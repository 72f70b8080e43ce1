#!/usr/bin/env bash
# pgn2data 0.0.11 (PyPI, with chess 1.9.1): writes the games of a PGN file as tables, a row for each move.
# Guess: if Black moves first in a game, the columns of player and colour still say who made each move.
# Seen:  the first move is always White's there, so each later move has the wrong colour and player, too. Moves are numbered
#        from 1, although the position says 30.
# Why it matters: endgames, puzzles and games that were broken off often begin with Black. Statistics by player or colour
#                 count each of their moves for the other side, and nothing in the table shows it.
# What helps: take the colour from the column of the FEN before the move, or from python-chess.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pgn2data==0.0.11 chess==1.9.1 pandas==2.3.3 setuptools==65.5.0
cat >game.pgn <<'GAME'
[Event "Ending"]
[Site "?"]
[Date "2026.01.01"]
[Round "1"]
[White "Owner of the pawn"]
[Black "Bare king"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30"]

30... Kd7 31. e4 Kd6 1/2-1/2
GAME
venv/bin/python - <<'CODE' 2>/dev/null
import csv
from converter.pgn_data import PGNData
PGNData("game.pgn").export()
with open("game_moves.csv", newline="") as rows, open("seen", "w") as seen:
    for row in csv.DictReader(rows):
        print(row["move_no"], row["notation"], row["color"], row["player"], sep=", ", file=seen)
CODE
cat seen
diff - seen <<'OUT'
1, Kd7, White, Owner of the pawn
2, e4, Black, Bare king
3, Kd6, White, Owner of the pawn
OUT
