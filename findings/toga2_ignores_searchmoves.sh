#!/usr/bin/env bash
# Toga II 3.0 (Debian, toga2 3.0.0.1SE1-2) with python-chess 1.11.2 (PyPI `chess`): the best among some of the moves.
# Guess: python-chess sends them as `searchmoves`, a part of UCI that each engine honours; the answer is one of them.
# Seen:  Glaurung 2.2 keeps to the list, but Toga II searches all moves. Asked for the best move except the mate, it
#        gives the mate. python-chess hands it on, with the mate's score, and raises no error.
# Why it matters: who looks for a second solution of a puzzle excludes the first one. With Toga II every puzzle seems
#                 to have a second one, just as good.
# What helps: compare the answer with the list, or play each of the moves and search the position after it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq toga2=3.0.0.1SE1-2+b1 glaurung=2.2-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
python3 - >seen <<'END'
import chess, chess.engine

board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
mate = board.parse_san("Ra8#")
others = [move for move in board.legal_moves if move != mate]
for name in "glaurung", "toga2":
    with chess.engine.SimpleEngine.popen_uci(f"usr/games/{name}") as engine:
        engine.configure({"OwnBook": False})
        for asked, moves in ("any move", None), ("any but Ra8#", others), ("Kh2", [board.parse_san("Kh2")]):
            limit = chess.engine.Limit(depth=4)
            result = engine.play(board, limit, root_moves=moves, info=chess.engine.INFO_SCORE)
            # Which other move an engine likes best is no matter here.
            answer = "another move" if moves == others and result.move != mate else board.san(result.move)
            print(f"{name}: {asked}: {answer}, score mate {result.info['score'].relative.mate()}")
END
cat seen
diff - seen <<'END'
glaurung: any move: Ra8#, score mate 1
glaurung: any but Ra8#: another move, score mate None
glaurung: Kh2: Kh2, score mate None
toga2: any move: Ra8#, score mate 1
toga2: any but Ra8#: Ra8#, score mate 1
toga2: Kh2: Ra8#, score mate 1
END
