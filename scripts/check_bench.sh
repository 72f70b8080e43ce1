#!/usr/bin/env bash
# Checks that the node count the newest `Bench:` line of the history names is what `enroque bench` prints.
#
#   scripts/check_bench.sh
#
# A commit that can change what is searched ends with `Bench: N`. Builds the engine if need be.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet
claimed=$(git log -1 --grep='^Bench: [0-9]' --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' | tail -n 1)
counted=$(target/release/enroque bench | awk 'END { print $1 }')
if [ -z "$claimed" ]; then
    echo "no commit names its bench; it is $counted" >&2
    exit 1
fi
if [ "$claimed" != "$counted" ]; then
    echo "the history says Bench: $claimed, the engine counts $counted" >&2
    exit 1
fi
echo "Bench: $counted"
