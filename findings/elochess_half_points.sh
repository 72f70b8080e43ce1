#!/usr/bin/env bash
# elochess 0.5.0 (PyPI): a change of the FIDE rating that ends in one half.
# Guess: both players beat an opponent who is 36 points weaker, with K = 10. The change is 4.5, which FIDE rounds up to 5.
# Seen:  the player with 2401 gains 5 points, the one with 2400 gains 4. The library rounds the new rating instead of the
#        change, and rounds a half to the even number.
# Why it matters: K = 10 is the factor of the strongest players. The same game is worth one point more if the rating is odd.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib elochess==0.5.0
python3 - >seen <<'END'
from elochess.elo import EloCalculator
for rating in (2400, 2401):
    print(rating, EloCalculator.update_rating(rating, [rating - 36], 1.0, reached_2400=True))
END
cat seen
diff - seen <<'END'
2400 2404
2401 2406
END
