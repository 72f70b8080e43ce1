#!/usr/bin/env bash
# PolyGlot 2.0.4 (Debian): `polyglot epd-test` lets a UCI engine solve a file of puzzles and counts. A shell script plays the
# engine and knows all solutions.
# Guess: moves are compared, so `bm Ra8` is the same solution as `bm Ra8+` or `bm Ra8#`, as python-chess 1.11.2 (PyPI
#        `chess`) reads them. The mark for check or mate doesn't tell which move is meant.
# Seen:  letters are compared. Without the exact mark, the right move counts as wrong. With `am`, moves to avoid, it is the
#        other way round: the engine plays that move and gets its point.
# Why it matters: a collection may leave the marks out, or write + for mate. Then a score says more about how the file is
#                 spelt than about the engine.
# What helps: let python-chess write the file again (`board.set_epd`, then `board.epd`) before the test.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq polyglot=2.0.4+git20210322-1 >/dev/null 2>&1
dpkg -x polyglot_*.deb .
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib chess==1.11.2
cat >engine <<'END'
#!/usr/bin/env bash
while read -r line; do
    case $line in
        uci) printf '%s\n' 'id name Script' 'id author Ann' uciok ;;
        isready) echo readyok ;;
        go*) printf '%s\n' 'info depth 8 score cp 9 nodes 9 time 9 pv a1a8' 'bestmove a1a8' ;;
        quit) exit ;;
    esac
done
END
chmod +x engine
printf '%s\n' '[PolyGlot]' 'EngineCommand = ./engine' '[Engine]' >polyglot.ini
mate='6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -'
check='6k1/5pp1/7p/8/8/8/5PPP/R5K1 w - -'
cat >puzzles.epd <<END
$mate bm Ra8#; id "mate, bm Ra8#";
$mate bm Ra8+; id "mate, bm Ra8+";
$mate bm Ra8; id "mate, bm Ra8";
$check bm Ra8+; id "check, bm Ra8+";
$check bm Ra8; id "check, bm Ra8";
$check am Ra8+; id "check, am Ra8+";
$check am Ra8; id "check, am Ra8";
END
usr/games/polyglot polyglot.ini epd-test -epd puzzles.epd -max-time 1 >out 2>log
{
    python3 - <<'END'
import chess
for line in open("puzzles.epd"):
    board = chess.Board()
    operations = board.set_epd(line)
    print(f"python-chess: {operations['id']}: {(operations.get('bm') or operations['am'])[0]}")
END
    sed -nE 's/^ *[0-9]+: "([^"]*)" +(OK|--) .*=(.*)/PolyGlot: \1: played \3, \2/p; /^score/s/ *\[.*//p' out
} >seen
cat seen
diff - seen <<'END'
python-chess: mate, bm Ra8#: a1a8
python-chess: mate, bm Ra8+: a1a8
python-chess: mate, bm Ra8: a1a8
python-chess: check, bm Ra8+: a1a8
python-chess: check, bm Ra8: a1a8
python-chess: check, am Ra8+: a1a8
python-chess: check, am Ra8: a1a8
PolyGlot: mate, bm Ra8#: played Ra8#, OK
PolyGlot: mate, bm Ra8+: played Ra8#, --
PolyGlot: mate, bm Ra8: played Ra8#, --
PolyGlot: check, bm Ra8+: played Ra8+, OK
PolyGlot: check, bm Ra8: played Ra8+, --
PolyGlot: check, am Ra8+: played Ra8+, --
PolyGlot: check, am Ra8: played Ra8+, OK
score=3/7
END
