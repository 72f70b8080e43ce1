#!/usr/bin/env bash
# uci2wb 4.1 (Debian) between python-chess 1.11.2 (PyPI `chess`), which speaks CECP to it, and a UCI engine: the opponent
# castles in Chess960. A shell script plays the engine and writes down what it hears.
# Guess: the engine hears `d1g1`, king takes rook, as UCI wants it, whichever adapter stands between.
# Seen:  through PolyGlot it hears `d1g1`, through uci2wb `O-O`, the way CECP writes castling there. uci2wb asks for the
#        other way with `feature oocastle=0`. XBoard knows this feature, but the text of CECP doesn't mention it, and
#        python-chess ignores it without a word. Fairy-Stockfish 11.1, given the same line, stops before the castling, so
#        White is still to move.
# Why it matters: the engine thinks for the wrong side. Its move is illegal, and when it only analyses, whoever is winning
#                 seems to be losing.
# What helps: PolyGlot, or python-chess straight to the engine with popen_uci.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq polyglot=2.0.4+git20210322-1 uci2wb=4.1+git200714-1 fairy-stockfish=11.1-1+b1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
cat >engine <<'END'
#!/usr/bin/env bash
while read -r line; do
    case $line in
        uci) printf '%s\n' 'id name Script' 'id author Ann' 'option name UCI_Chess960 type check default false' uciok ;;
        isready) echo readyok ;;
        position*) echo "$line" >heard ;;
        go*) echo 'bestmove d8d7' ;;
        quit) exit ;;
    esac
done
END
chmod +x engine
printf '%s\n' '[PolyGlot]' 'EngineCommand = ./engine' '[Engine]' >polyglot.ini
cat >try.py <<'END'
import chess, chess.engine, logging, subprocess

logging.disable()  # python-chess warns of features of CECP that it doesn't use.
adapters = {"polyglot": ["usr/games/polyglot", "polyglot.ini"], "uci2wb": ["usr/games/uci2wb", "./engine"]}
for name, command in adapters.items():
    board = chess.Board("3k4/p6p/8/8/8/8/P4PPP/3K2R1 w G - 0 1", chess960=True)
    board.push_san("O-O")
    with chess.engine.SimpleEngine.popen_xboard(command) as engine:
        engine.play(board, chess.engine.Limit(time=1))
    with open("heard") as heard:
        position = heard.read().strip()
    lines = f"setoption name UCI_Chess960 value true\n{position}\nd\nquit\n"
    shown = subprocess.run("usr/games/fairy-stockfish", input=lines, capture_output=True, text=True, check=True).stdout
    print(f"{name}: {position}")
    print("  Fairy-Stockfish:", next(line for line in shown.splitlines() if line.startswith("Fen:")))
END
python3 try.py >seen
cat seen
diff - seen <<'END'
polyglot: position fen 3k4/p6p/8/8/8/8/P4PPP/3K2R1 w G - 0 1 moves d1g1
  Fairy-Stockfish: Fen: 3k4/p6p/8/8/8/8/P4PPP/5RK1 b - - 1 1
uci2wb: position fen 3k4/p6p/8/8/8/8/P4PPP/3K2R1 w G - 0 1 moves O-O
  Fairy-Stockfish: Fen: 3k4/p6p/8/8/8/8/P4PPP/3K2R1 w G - 0 1
END
