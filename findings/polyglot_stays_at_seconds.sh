#!/usr/bin/env bash
# PolyGlot 2.0.4 (Debian) between python-chess 1.11.2 (PyPI `chess`), which speaks CECP to it, and a UCI engine: first one
# second for a move, then a game with clocks, a minute and two seconds a move. A shell script plays the engine.
# Guess: CECP's `level` sets the clocks and ends what `st` has set. The engine hears `go` with wtime and btime.
# Seen:  PolyGlot goes on with a second for each move, also in a new game, and never tells the engine of the clocks.
#        uci2wb 4.1 changes over.
# Why it matters: the engine takes a second for each move, however much time it has, and loses on time when less is left.
# What helps: start PolyGlot again when the time control changes.
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
cat >try.py <<'END'
import chess, chess.engine, logging

logging.disable()  # python-chess warns of features of CECP that it doesn't use.
second = chess.engine.Limit(time=1)
clocks = chess.engine.Limit(white_clock=60, black_clock=60, white_inc=2, black_inc=2)
low = chess.engine.Limit(white_clock=0.5, black_clock=60, white_inc=2, black_inc=2)
adapters = {"polyglot": ["usr/games/polyglot", "polyglot.ini"], "uci2wb": ["usr/games/uci2wb", "./engine"]}
for name, command in adapters.items():
    with chess.engine.SimpleEngine.popen_xboard(command) as engine:
        for what, limit, game in (
            ("a second", second, 1),
            ("clocks", clocks, 1),
            ("clocks, another game", clocks, 2),
            ("half a second left", low, 2),
        ):
            engine.play(chess.Board(), limit, game=game)
            with open("heard") as heard:
                print(f"{name}: {what}: {heard.read().strip()}")
END
python3 try.py >seen
cat seen
diff - seen <<'END'
polyglot: a second: go movetime 980
polyglot: clocks: go movetime 980
polyglot: clocks, another game: go movetime 980
polyglot: half a second left: go movetime 980
uci2wb: a second: go btime 0 wtime 0 movetime 970
uci2wb: clocks: go btime 60000 wtime 60000 winc 2000 binc 2000
uci2wb: clocks, another game: go btime 60000 wtime 60000 winc 2000 binc 2000
uci2wb: half a second left: go btime 500 wtime 60000 winc 2000 binc 2000
END
