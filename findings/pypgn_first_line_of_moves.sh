#!/usr/bin/env bash
# pypgn 0.5.1 (PyPI): a game whose moves fill more than one line.
# Guess: the library joins the lines. PGN's export format breaks them before column 80, so nearly every file has several.
# Seen:  it keeps the line that begins with "1. " and drops all others. Five of our ten moves are gone, and nothing says so.
# Why it matters: it reads a game from Lichess whole, which comes in one line, but not the same game from cutechess,
#        pgn-extract or python-chess.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib pypgn==0.5.1
python3 - >seen <<'END'
import pypgn

TAGS = ('[Event "Test"]', '[White "Alpha"]', '[Black "Beta"]', '[Result "1/2-1/2"]', "")
MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 5. Re1 Nd6", "6. Nxe5 Be7 7. Bf1 Nxe5 8. Rxe5 O-O 9. d4 Bf6 10. Re1 Re8"

for name, text in (("one line", " ".join(MOVES)), ("two lines", "\n".join(MOVES))):
    with open("game.pgn", "w") as file:
        file.write("\n".join((*TAGS, text + " 1/2-1/2", "")))
    game = pypgn.Game("game.pgn")
    print(f"{name}: {game.move_count()} moves, the last {' '.join(game.moves[-1])}")
END
cat seen
diff - seen <<'END'
one line: 10 moves, the last 10. Re1 Re8
two lines: 5 moves, the last 5. Re1 Nd6
END
