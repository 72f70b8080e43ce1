#!/usr/bin/env bash
# python-chess 1.11.2 (PyPI `chess`): an engine's line `score cp 900 lowerbound`, and after it the exact `score cp 30`.
# Guess: what `analyse` and `play` return about the last score has no bound, since the last line has none.
# Seen:  python-chess merges all lines, and a later line replaces only what it names itself. No line says that a score is no
#        bound, so the exact score keeps `lowerbound`. If `upperbound` comes too, it is both. The documentation calls the
#        information "aggregated", and doesn't say this.
# Why it matters: engines such as Stockfish send bounds in longer searches. A program that skips bounds also skips exact
#                 scores; one that shows bounds with ">=" shows it where it isn't true.
# What helps: read the lines one by one (`for info in analysis`); there the exact score has no bound.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
cat >engine.py <<'CODE'
import sys

ANSWERS = {
    "uci": "uciok",
    "isready": "readyok",
    "go": """info depth 8 score cp -40 upperbound nodes 100 pv d2d4
info depth 8 score cp 900 lowerbound nodes 200 pv e2e4
info depth 8 score cp 30 nodes 300 pv e2e4 e7e5
bestmove e2e4""",
}
for line in sys.stdin:
    word = line.split()[0]
    if word == "quit":
        break
    if word in ANSWERS:
        print(ANSWERS[word], flush=True)
CODE
cat >try.py <<'CODE'
import sys

import chess
import chess.engine


def show(what, info):
    bounds = [name for name in ("lowerbound", "upperbound") if info.get(name)]
    print(f"{what}: {info['score'].white()}, nodes {info['nodes']}, bounds: {' and '.join(bounds) or 'none'}")


board = chess.Board()
limit = chess.engine.Limit(depth=8)
engine = chess.engine.SimpleEngine.popen_uci([sys.executable, "engine.py"])
with engine.analysis(board, limit) as analysis:
    for info in analysis:
        show("line", info)
show("analyse", engine.analyse(board, limit))
show("play", engine.play(board, limit, info=chess.engine.INFO_ALL).info)
engine.quit()
CODE
python3 try.py >seen
cat seen
diff - seen <<'OUT'
line: -40, nodes 100, bounds: upperbound
line: +900, nodes 200, bounds: lowerbound
line: +30, nodes 300, bounds: none
analyse: +30, nodes 300, bounds: lowerbound and upperbound
play: +30, nodes 300, bounds: lowerbound and upperbound
OUT
