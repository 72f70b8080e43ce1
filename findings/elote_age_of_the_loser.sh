#!/usr/bin/env bash
# elote 1.5.1 (PyPI): the German rating (DWZ) for a fifteen-year-old, with the age that `beat` and `tied` ask for.
# Guess: the age counts after a win and after a loss. By the rules, the ratings of the young change faster either way.
# Seen:  only who calls `beat` or `tied` may have an age. The other player, so everybody who loses, counts as 26 years
#        old, and `lost_to` takes no age. Against an equal at 1600, our player gains 39.1 points but loses only 17.7.
#        The class's own formula gives a loss of 31.9 at fifteen, but nothing calls it that way.
# Why it matters: the ratings of the young drift upwards, although the class looks as if it knew the rule.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib elote==1.5.1
python3 - >seen <<'END'
from elote import DWZCompetitor

def pair():
    players = []
    for _ in range(2):
        player = DWZCompetitor(initial_rating=1600)
        # Somebody with many games, so that the bound for newcomers plays no part.
        player._count = 100
        players.append(player)
    return players

young, other = pair()
young.beat(other, age=15)
print(f"beats an equal at 15: {young.rating - 1600:+.1f}")
young, other = pair()
other.beat(young)
print(f"loses to an equal: {young.rating - 1600:+.1f}")
young, other = pair()
print(f"the formula at 15: {young._new_rating(other, 0.0, age=15) - 1600:+.1f}")
try:
    young.lost_to(other, age=15)
except TypeError as error:
    print("lost_to:", str(error).rpartition(".")[2])
END
cat seen
diff - seen <<'END'
beats an equal at 15: +39.1
loses to an equal: -17.7
the formula at 15: -31.9
lost_to: lost_to() got an unexpected keyword argument 'age'
END
