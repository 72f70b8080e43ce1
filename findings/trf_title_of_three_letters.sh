#!/usr/bin/env bash
# caissify-pairings 0.5.0 and trf 1.1.1 (PyPI): a title of three letters, WIM, in a tournament report of FIDE (TRF16).
# Guess: the title stands in columns 11 to 13; both libraries read it.
# Seen:  caissify-pairings reads columns 12 and 13, so WIM becomes IM. trf wants a space in column 11
#        and refuses the player's line. A title of two letters, GM, is read by both.
# Why it matters: a report with one woman who has a title doesn't pass trf, and in caissify-pairings she has another one.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib caissify-pairings==0.5.0 trf==1.1.1
python3 - >seen <<'END'
import trf
from caissify_pairings.trf import TRFParser

def player(number, sex, title, name, points, games):
    return (f"001 {number:>4} {sex}{title:>3} {name:<33} {2000:>4} AAA {number:>11} 1990/01/01 {points:>4} {number:>4}"
            f"  {games}\n")

for sex, title in (("m", "GM"), ("w", "WIM")):
    report = "012 Test Open\n" + player(1, sex, title, "Alpha", 1.0, "0002 w 1") + player(2, "m", "", "Beta", 0.0, "0001 b 0")
    print(title, "caissify-pairings", TRFParser(report).parse()["players"][0]["title"])
    try:
        print(title, "trf", trf.loads(report).players[0].title)
    except Exception as error:
        print(title, "trf", str(error)[:38])
END
cat seen
diff - seen <<'END'
GM caissify-pairings GM
GM trf GM
WIM caissify-pairings IM
WIM trf Player data not matching pattern:    1
END
