#!/usr/bin/env bash
# swissdutch 0.1.0 (PyPI), Swiss pairings by the Dutch system: which colour a player may claim after three rounds.
# Guess: two players with opposite colours in every round have opposite claims, equally strong. Whoever had the same
#        colour twice in a row has an absolute claim to the other, and whoever had one colour once more a strong claim.
# Seen:  the class counts Whites minus Blacks, over all rounds and over the last two, and takes the larger number. Where
#        both are negative or zero, that is the weaker claim, so claims to White shrink: after BWB and BBW to a mild
#        one, after WBB to a strong one. After WWW it raises an error.
# Why it matters: players who have had Black too often may get it again.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib swissdutch==0.1.0
python3 - >seen <<'END'
from swissdutch.constants import Colour
from swissdutch.player import Player

COLOURS = {"W": Colour.white, "B": Colour.black}

def claim(history):
    colours = tuple(COLOURS[letter] for letter in history)
    return Player("A", 2000, colour_hist=colours).colour_preference.name

for history in ("WBW", "WWB", "BWW"):
    mirrored = history.translate(str.maketrans("WB", "BW"))
    print(f"{history} {claim(history)}, {mirrored} {claim(mirrored)}")
END
cat seen
diff - seen <<'END'
WBW blackStr, BWB mild
WWB blackStr, BBW mild
BWW blackAbs, WBB whiteStr
END
