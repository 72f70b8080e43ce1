#!/usr/bin/env bash
# caissify-pairings 0.5.0 and pairing-core 0.4.1 (PyPI): the first writes a FIDE tournament report (TRF16), the second
# reads it and writes it again.
# Cid came late: his first round is blank in the file, which FIDE's format reads as `0000 - Z`, not paired.
# Guess: pairing-core reads that file and writes one that says the same: names, and who played whom in which round.
# Seen:  pairing-core drops the blank round, so Cid now plays Ann in round 1, in which Ann plays Bob. It also writes the
#        names from column 11 on, not 15, so the other package finds no name and a title "nn". Nothing says so. Dee's
#        missed round, written as `0000 - Z`, keeps its place.
# Why it matters: crosstables, checkers and pairing engines see a round in which two players have the same opponent.
# What helps: write `0000 - Z` for each round that a player missed, and take the names from the first file.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib \
  caissify-pairings==0.5.0 pairing-core==0.4.1
cat >try.py <<'CODE'
from caissify_pairings.trf import parse_trf, write_trf
from pairing_core import adapters


def game(opponent, color, result):
    return {"opponent": opponent, "color": color, "result": result}


def show(title, report):
    print(title)
    for p in parse_trf(report)["players"]:
        rounds = [f"{n}: {r['opponent']} {r['color']} {r['result']}" for n, r in p["results"].items()]
        print(f"  {p['title']!r} {p['name']!r} {', '.join(rounds)}")


players = [
    ("Ann", 2000, 2.0, {1: game(2, "w", "1"), 2: game(3, "b", "1")}),
    ("Bob", 1900, 1.0, {1: game(1, "b", "0"), 2: game(4, "w", "1")}),
    ("Cid", 1800, 0.0, {2: game(1, "w", "0")}),
    ("Dee", 1700, 0.0, {1: game(None, None, "Z"), 2: game(2, "b", "0")}),
]
keys = ("name", "rating", "score", "results")
entries = [{"starting_number": n} | dict(zip(keys, p)) for n, p in enumerate(players, 1)]
report = write_trf({"name": "Club"}, entries, 2)
show("first file:", report)
show("through pairing-core:", adapters.build_trf(adapters.parse_trf(report)))
CODE
PYTHONPATH=lib python3 try.py >seen
cat seen
diff - seen <<'OUT'
first file:
  '' 'Ann' 1: 2 w 1, 2: 3 b 1
  '' 'Bob' 1: 1 b 0, 2: 4 w 1
  '' 'Cid' 2: 1 w 0
  '' 'Dee' 1: None None Z, 2: 2 b 0
through pairing-core:
  'nn' '' 1: 2 w 1, 2: 3 b 1
  'ob' '' 1: 1 b 0, 2: 4 w 1
  'id' '' 1: 1 w 0
  'ee' '' 1: None None Z, 2: 2 b 0
OUT
