#!/usr/bin/env bash
# PolyGlot 2.0.4 (Debian) between python-chess 1.11.2 (PyPI `chess`), which speaks CECP to it, and a UCI engine: a game
# that begins from a FEN of move 40, with 40 moves to make in 90 minutes. A shell script plays the engine.
# Guess: the engine is told `movestogo 40`. CECP adds time after each side has made 40 moves, and nobody has made one.
# Seen:  `movestogo 1`: PolyGlot takes the move number in the FEN for moves made on this clock. From move 10 it says 31.
#        uci2wb 4.1, which does the same work, says 40 each time.
# Why it matters: the engine may spend nearly all its 90 minutes on one move, and has 39 more to make. Engine matches
#                 often begin from FENs with such numbers. XBoard never shows this, because it counts moves from 1 after
#                 it has set up a position.
# What helps: number the position from 1 (`board.fullmove_number = 1`), or play with an increment instead.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq polyglot=2.0.4+git20210322-1 uci2wb=4.1+git200714-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
cat >engine <<'END'
#!/usr/bin/env bash
while read -r line; do
    case $line in
        uci) printf '%s\n' 'id name Script' 'id author Ann' uciok ;;
        isready) echo readyok ;;
        go*) echo "$line" >heard; echo 'bestmove e2e4' ;;
        quit) exit ;;
    esac
done
END
chmod +x engine
printf '%s\n' '[PolyGlot]' 'EngineCommand = ./engine' '[Engine]' >polyglot.ini
python3 - >seen <<'END'
import chess, chess.engine, logging

logging.disable()  # python-chess warns of features of CECP that it doesn't use.
adapters = {"polyglot": ["usr/games/polyglot", "polyglot.ini"], "uci2wb": ["usr/games/uci2wb", "./engine"]}
for name, command in adapters.items():
    for number in 1, 10, 40:
        board = chess.Board(f"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 {number}")
        with chess.engine.SimpleEngine.popen_xboard(command) as engine:
            limit = chess.engine.Limit(white_clock=5400, black_clock=5400, remaining_moves=40, clock_id="game")
            engine.play(board, limit)
        with open("heard") as heard:
            print(f"{name}, FEN of move {number}: {heard.read().strip()}")
END
cat seen
diff - seen <<'END'
polyglot, FEN of move 1: go wtime 5400000 btime 5400000 movestogo 40
polyglot, FEN of move 10: go wtime 5400000 btime 5400000 movestogo 31
polyglot, FEN of move 40: go wtime 5400000 btime 5400000 movestogo 1
uci2wb, FEN of move 1: go btime 5400000 wtime 5400000 movestogo 40
uci2wb, FEN of move 10: go btime 5400000 wtime 5400000 movestogo 40
uci2wb, FEN of move 40: go btime 5400000 wtime 5400000 movestogo 40
END
