#!/usr/bin/env bash
# python-lichess 0.10 (PyPI): turns a game that Lichess sends as JSON into PGN (`lichess.pgn.from_game`).
# Guess: a Chess960 game gets the tags Variant, SetUp and FEN, so that python-chess replays it, and a draw is 1/2-1/2.
# Seen:  a Chess960 game loses its start, which the JSON has as initialFen; only fromPosition games get a FEN. So
#        python-chess begins with the orthodox start and stops at the first move that is illegal there. A stalemate,
#        whose status isn't "draw", becomes "*", a game without a result. The players' names are "?".
# Why it matters: a Chess960 game without castling may be replayed to its end on the wrong board, without an error.
#                 Who counts a bot's points from these files misses its stalemates.
# What helps: ask Lichess for PGN instead of JSON, with the library's format SINGLE_PGN.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib python-lichess==0.10 chess==1.11.2
python3 - >seen <<'CODE'
import logging

import chess.pgn
import lichess.pgn

# python-chess logs the moves that it can't play.
logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

PLACES = "qbnrbkrn/pppppppp/8/8/8/8/PPPPPPPP/QBNRBKRN"

def show(name, moves, status, winner=None, variant="standard", fen=None):
    data = {
        "id": "aaaaaaaa", "rated": True, "variant": variant, "speed": "blitz", "createdAt": 1767312000000,
        "clock": {"initial": 300, "increment": 3, "totalTime": 420}, "status": status, "moves": moves,
        "players": {side: {"user": {"name": side[0], "id": side[0]}, "rating": 1500} for side in ("white", "black")},
    }
    if winner:
        data["winner"] = winner
    if fen:
        data["initialFen"] = fen
    game = chess.pgn.read_game(lichess.pgn.io_from_game(data))
    played = len(list(game.mainline_moves()))
    tags = game.headers
    print(f"{name}: White {tags['White']}, {tags['Result']}, {'with' if 'FEN' in tags else 'without'} FEN,"
          f" {played} of {len(moves.split())} moves")

show("orthodox, won", "e4 e5 Nf3 Nc6", "resign", "white")
show("from a position, drawn", "Ka2 Kg8", "draw", None, "fromPosition", "7k/8/8/8/8/8/8/KQ6 w - - 0 1")
show("from a position, stalemate", "Qg6", "stalemate", None, "fromPosition", "7k/8/8/8/8/8/8/K5Q1 w - - 0 1")
show("Chess960, drawn", "e4 e5", "draw", None, "chess960", f"{PLACES} w KQkq - 0 1")
show("Chess960, won", "e4 e5 O-O O-O", "resign", "white", "chess960", f"{PLACES} w KQkq - 0 1")
CODE
cat seen
diff - seen <<'OUT'
orthodox, won: White ?, 1-0, without FEN, 4 of 4 moves
from a position, drawn: White ?, 1/2-1/2, with FEN, 2 of 2 moves
from a position, stalemate: White ?, *, with FEN, 1 of 1 moves
Chess960, drawn: White ?, 1/2-1/2, without FEN, 2 of 2 moves
Chess960, won: White ?, 1-0, without FEN, 2 of 4 moves
OUT
