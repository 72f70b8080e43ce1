#!/usr/bin/env bash
# PolyGlot 2.0.4 (Debian): `polyglot make-book` from games that begin at a Chess960 start.
# Guess: the book has the moves for the position of the FEN tag; or, since the format has no key for Chess960, such games
#        are left out with a message.
# Seen:  the moves go into the book as moves of orthodox chess, from its start position, without a word. Only a move that
#        isn't legal there stops the run.
# Why it matters: 1. f4 may win a piece in one Chess960 start and lose one in another. A book from mixed games offers all
#                 of these moves in ordinary games, and knows none of them where they were played.
# What helps: keep the games that have a FEN tag out of the file that the book is made from.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq polyglot=2.0.4+git20210322-1 >/dev/null 2>&1
dpkg -x polyglot_*.deb .
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check chess==1.11.2
cat >game.pgn <<'END'
[Variant "Chess960"]
[SetUp "1"]
[FEN "qnbbrknr/pppppppp/8/8/8/8/PPPPPPPP/QNBBRKNR w KQkq - 0 1"]
[Result "1-0"]

1. g3 e5 1-0
END
usr/games/polyglot make-book -pgn game.pgn -bin book.bin -min-game 1 >log 2>&1
cat >try.py <<'END'
import chess, chess.polyglot
starts = {"of the game": chess.Board("qnbbrknr/pppppppp/8/8/8/8/PPPPPPPP/QNBBRKNR w KQkq - 0 1", chess960=True),
          "of orthodox chess": chess.Board()}
with chess.polyglot.open_reader("book.bin") as book:
    for name, start in starts.items():
        print(f"start {name}:", *(entry.move for entry in book.find_all(start)))
END
{
    grep -ciE 'fen|chess960|warning|error' log || true
    venv/bin/python try.py
} >seen
cat seen
diff - seen <<'END'
0
start of the game:
start of orthodox chess: g2g3
END
