#!/usr/bin/env bash
# trf 1.1.1 (PyPI): a tournament report with several lines of one kind.
# Guess: a file that is read and written again still has the lines XXA (extra points of a player) for all players, and the
#        dates of the rounds (132) in the columns below the rounds, from column 92.
# Seen:  of the lines XXA and of the deputy arbiters (112) the last one stays, and the dates move to column 5.
# Why it matters: a pairing program that gets the rewritten file gives one player the accelerated points of the start, and
#                 pairs the next round by wrong scores. Nothing is reported.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib trf==1.1.1
python3 - >seen <<'END'
import trf
report = "\n".join([
    "012 Test Open", "112 Arbiter One", "112 Arbiter Two", "132" + " " * 88 + "26/01/02  26/01/03",
    "XXR 5", "XXA    1  1.0  1.0", "XXA    2  1.0  1.0", ""])
for line in trf.dumps(trf.loads(report)).splitlines():
    if line[:3] in ("112", "132", "XXA"):
        print(line)
END
cat seen
diff - seen <<'END'
112 Arbiter Two
132 26/01/02 26/01/03
XXA 2  1.0  1.0
END
