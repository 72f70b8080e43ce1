#!/usr/bin/env bash
# uci-test-suite 0.1.1 (PyPI, "tests for UCI server/chess engine implementations"), run on an engine that answers each `go`
# at once with its first legal move. It reads nothing after `go`, and knows no `stop`, `ponderhit` or `setoption`.
# Guess: an engine that ignores `go nodes` alone fails a test, so this one fails several.
# Seen:  it passes all 12 tests, among them `stop_command`. The suite never sends `stop`: that test asks for a move in 0.1 s.
#        Nor does it send clocks, nodes or `searchmoves`, or look whether a search took the depth and time it asked for.
# Why it matters: the author of an engine reads "All tests passed!", and learns in a GUI that `stop` doesn't work.
# What helps: test `go infinite`, `stop`, `ponderhit` and clocks with your own script.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib uci-test-suite==0.1.1 chess==1.11.2 click==8.1.8
cat >engine.py <<'CODE'
import sys

import chess

board = chess.Board()
heard = open("heard", "a")
for line in sys.stdin:
    print(line.strip(), file=heard, flush=True)
    word, *rest = line.split()
    if word == "uci":
        print("id name first\nid author Ann\noption name Hash type spin default 1 min 1 max 2\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        start, _, moves = " ".join(rest).partition(" moves ")
        board = chess.Board() if start == "startpos" else chess.Board(start.removeprefix("fen "))
        for move in moves.split():
            board.push_uci(move)
    elif word == "go":
        print("bestmove", next(iter(board.legal_moves)), flush=True)
    elif word == "quit":
        break
CODE
{ echo "#!$(command -v python3)" && cat engine.py; } >engine
chmod +x engine
python3 -m uci_test_suite ./engine 2>/dev/null | grep -e stop_command -e Summary >seen
echo "heard: $(grep -v position heard | sort -u | paste -s -d ,)" >>seen
cat seen
diff - seen <<'OUT'
PASS: stop_command - Engine returns a move when given a time limit
Summary: 12 passed, 0 failed, 12 total.
heard: go depth 10,go movetime 100,go movetime 1000,isready,quit,uci,ucinewgame
OUT
