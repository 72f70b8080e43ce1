#!/usr/bin/env bash
# pgn-extract 19.04 (Debian): --dropply cuts off a game's first moves, and writes a FEN for where the rest begins.
# Guess: after a castling in Chess960 that FEN is the position of the game, as it is in orthodox chess and in --fencomments.
# Seen:  the king stands on the square that its rook came from, and the rook beside it: in the corner h1 and on g1 instead
#        of g1 and f1. The same game without its tag Variant is right.
# Why it matters: if you cut the opening off engine games, they begin with a position that was never on the board. The
#                 moves that are left are often still legal there, so other programs read the game without an error.
# What helps: take the FEN from --fencomments (it is right there), or cut before the first castling.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq pgn-extract=19.04-1 >/dev/null 2>&1
dpkg -x pgn-extract_*.deb .
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
cat >try.py <<'END'
import chess.pgn, io, subprocess

def extract(pgn, *options):
    command = ["usr/games/pgn-extract", "-s", *options]
    return subprocess.run(command, input=pgn, capture_output=True, text=True, check=True).stdout

tags = f'[Result "1-0"]\n[SetUp "1"]\n[FEN "{chess.STARTING_FEN}"]\n'
moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 5. d3 Nf6 6. Nbd2 1-0\n"
for variant in "orthodox", "Chess960":
    pgn = ('[Variant "Chess960"]\n' if variant == "Chess960" else "") + tags + "\n" + moves
    print(f"{variant}, --fencomments:", " ".join(extract(pgn, "--fencomments").split("{")[7].split("}")[0].split()))
    game = chess.pgn.read_game(io.StringIO(extract(pgn, "--dropply", "7")))
    print(f"{variant}, --dropply 7:  ", game.headers["FEN"])
    print(f"{variant}, read by python-chess: {len(game.errors)} errors, {game.board().variation_san(game.mainline_moves())}")
END
python3 try.py >seen
cat seen
diff - seen <<'END'
orthodox, --fencomments: r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4
orthodox, --dropply 7:   r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4
orthodox, read by python-chess: 0 errors, 4...d6 5. d3 Nf6 6. Nbd2
Chess960, --fencomments: r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4
Chess960, --dropply 7:   r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ2RK b kq - 5 4
Chess960, read by python-chess: 0 errors, 4...d6 5. d3 Nf6 6. Nbd2
END
