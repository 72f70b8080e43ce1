#!/usr/bin/env bash
# python-chess 1.11.2 (PyPI `chess`): an EPD of a Chess960 position whose best move is a castling.
# Guess: Board.from_epd(line, chess960=True) reads each line that Board.epd wrote.
# Seen:  with the king on d1 it raises "illegal san", also with chess960=True, and the position in its message has lost the
#        castling rights. The same line without the operation is read with its rights.
# Why it matters: puzzles are passed on as EPD. A set with one castling solution stops the reader at that line.
# What helps: give the move as a comment (`c0 "O-O";`), or read the FEN apart from the operations.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
python3 - >seen <<'END'
import chess
board = chess.Board("4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1", chess960=True)
bare = board.epd()
line = board.epd(bm=[board.parse_san("O-O")])
print(line)
print(chess.Board.from_epd(bare, chess960=True)[0].castling_shredder_fen())
try:
    print(chess.Board.from_epd(line, chess960=True)[1])
except ValueError as error:
    print(error)
END
cat seen
diff - seen <<'END'
4k3/8/8/8/8/8/8/1R1K2R1 w KQ - bm O-O;
GB
illegal san: 'O-O' in 4k3/8/8/8/8/8/8/1R1K2R1 w - - 0 1
END
