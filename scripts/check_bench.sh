#!/usr/bin/env bash
# Compares the node count of the engine's bench with the newest `Bench:` line in the git history.
#
#   scripts/check_bench.sh              builds the engine first
#   scripts/check_bench.sh COMMAND...   runs that engine, such as ./enroque or qemu-aarch64 ./enroque
#
# Every commit that can change the search ends its message with `Bench: N`.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
if [ $# -eq 0 ]; then
    cd "$(dirname "$0")/.."
    cargo build --release --quiet
    set -- target/release/enroque
fi
claimed=$(git log -1 --grep='^Bench: [0-9]' --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' | tail -n 1)
bench=$("$@" bench | tail -n 1 | tr -d '\r')
counted=${bench%% *}
if [ -z "$claimed" ]; then
    echo "no commit has a line Bench: N; the engine counts $counted" >&2
    exit 1
fi
if [ "$claimed" != "$counted" ]; then
    echo "expected Bench: $claimed, found $counted" >&2
    exit 1
fi
echo "Bench: $bench"
