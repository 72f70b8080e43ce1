#!/usr/bin/env bash
# swissdutch 0.1.0 (PyPI), Swiss pairings by the Dutch system: which colour a player may claim after three rounds.
# Guess: if two players have had opposite colours in each round, their claims are opposite, too, and equally strong. The
#        same colour twice in a row gives an absolute claim to the other one, and one more of a colour a strong claim.
# Seen:  the class takes the larger of two numbers: by how often Whites exceed Blacks in all rounds, and in the last
#        two. Blacks count below zero, so the larger number is the weaker claim, and a claim to White shrinks: after
#        BWB and BBW to a mild one, and after WBB to a strong one. After WWW it raises an error.
# Why it matters: players who have had Black too often lose their right to White against players with a weaker one.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib swissdutch==0.1.0
python3 - >seen <<'END_PYTHON'
from swissdutch.constants import Colour
from swissdutch.player import Player

COLOURS = {"W": Colour.white, "B": Colour.black}

def claim(history):
    colours = tuple(COLOURS[letter] for letter in history)
    return Player("A", 2000, colour_hist=colours).colour_preference.name

for history in ("WBW", "WWB", "BWW"):
    mirrored = history.translate(str.maketrans("WB", "BW"))
    print(f"{history} {claim(history)}, {mirrored} {claim(mirrored)}")
END_PYTHON
cat seen
diff - seen <<'END_SEEN'
WBW blackStr, BWB mild
WWB blackStr, BBW mild
BWW blackAbs, WBB whiteStr
END_SEEN
