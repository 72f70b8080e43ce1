#!/usr/bin/env bash
# rust-pgn-reader-python-binding 4.1.0 (PyPI): turns PGN into arrays of positions and moves, for machine learning.
# Guess: a Chess960 game is read like any other, or called invalid.
# Seen:  it is valid, and its moves are right, castling included. But the array of castling rights knows only rooks
#        that begin on the files a and h. The right of any other is missing in every position, even before it castles.
# Why it matters: a network that is trained with these arrays sees castlings by players who have no right to castle.
# What helps: take the rights from python-chess.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib rust-pgn-reader-python-binding==4.1.0 chess==1.11.2
python3 - >seen <<'CODE'
import chess
import rust_pgn_reader_python_binding as reader

for places in ("RNBQKBNR", "RBKNNQBR", "RBNQBKRN", "QBNRBKRN"):
    fen = f"{places.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{places} w KQkq - 0 1"
    # Both sides can castle at once if the rook stands on the king's right.
    moves = "1. O-O O-O" if "KR" in places else "1. e4 e5"
    game = reader.parse_game(f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} *\n')[0]
    flags = "".join(letter for letter, right in zip("KQkq", game.castling[0]) if right) or "-"
    rights = chess.Board(fen, chess960=True).castling_xfen()
    played = " ".join(game.moves_uci())
    print(f"{places}: python-chess {rights}, here {flags}, valid {game.is_valid}, {moves} is {played}")
CODE
cat seen
diff - seen <<'OUT'
RNBQKBNR: python-chess KQkq, here KQkq, valid True, 1. e4 e5 is e2e4 e7e5
RBKNNQBR: python-chess KQkq, here KQkq, valid True, 1. e4 e5 is e2e4 e7e5
RBNQBKRN: python-chess KQkq, here Qq, valid True, 1. O-O O-O is f1g1 f8g8
QBNRBKRN: python-chess KQkq, here -, valid True, 1. O-O O-O is f1g1 f8g8
OUT
