#!/usr/bin/env bash
# stockfish 5.2.0 (PyPI) with Stockfish 15.1 (Debian): is the FEN of a finished game valid?
# Guess: is_fen_valid says True for a legal position, and False for nonsense.
# Seen:  False for each checkmate and each stalemate, the same answer as for text that is no FEN.
# Why it matters: a program that checks a FEN before it shows a game refuses the last position of a decided game.
# What helps: ask a rules library whether the position is valid.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib stockfish==5.2.0
apt-get download -qq stockfish=15.1-4 >/dev/null 2>&1
dpkg -x stockfish_*.deb .
python3 - >seen <<'END'
from stockfish import Stockfish
engine = Stockfish("usr/games/stockfish")
for name, fen in [
        ("checkmate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
        ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        ("a move left", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"),
        ("nonsense", "no position")]:
    print(name, engine.is_fen_valid(fen))
END
cat seen
diff - seen <<'END'
checkmate False
stalemate False
a move left True
nonsense False
END
