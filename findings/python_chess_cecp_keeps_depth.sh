#!/usr/bin/env bash
# python-chess 1.11.2 (PyPI `chess`) with an engine that speaks CECP, here PolyGlot 2.0.4 or uci2wb 4.1 (Debian) before a
# UCI engine. It is asked twice: first with Limit(depth=1), then with Limit(time=10). A shell script plays the engine.
# Guess: each call of `play` has the limit that it was given; the second search takes up to ten seconds.
# Seen:  the second search ends at depth 1, too. python-chess sends `sd 1` the first time and nothing that takes it back.
#        By CECP's text only `new` does that, and python-chess sends `new` only if the argument `game` has changed.
# Why it matters: a program that first asks for a quick move and then for a good one gets two quick ones, without a warning.
#                 With popen_uci the same calls are right.
# What helps: give a depth each time (100 is as good as none), or another `game`; or speak UCI with the engine.
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
Limit, Engine = chess.engine.Limit, chess.engine.SimpleEngine
adapters = {"polyglot": ["usr/games/polyglot", "polyglot.ini"], "uci2wb": ["usr/games/uci2wb", "./engine"], "UCI": "./engine"}
for name, command in adapters.items():
    with (Engine.popen_uci if name == "UCI" else Engine.popen_xboard)(command) as engine:
        for what, limit, game in (
            ("depth 1", Limit(depth=1), 1),
            ("10 seconds", Limit(time=10), 1),
            ("10 seconds, another game", Limit(time=10), 2),
        ):
            engine.play(chess.Board(), limit, game=game)
            with open("heard") as heard:
                words = heard.read().split()
            depth = words[words.index("depth") + 1] if "depth" in words else "free"
            print(f"{name}: {what}: depth {depth}")
END
python3 try.py >seen
cat seen
diff - seen <<'END'
polyglot: depth 1: depth 1
polyglot: 10 seconds: depth 1
polyglot: 10 seconds, another game: depth free
uci2wb: depth 1: depth 1
uci2wb: 10 seconds: depth 1
uci2wb: 10 seconds, another game: depth free
UCI: depth 1: depth 1
UCI: 10 seconds: depth free
UCI: 10 seconds, another game: depth free
END
