#!/usr/bin/env bash
# Checks that the node count the newest `Bench:` line of the history names is what the engine's bench prints.
#
#   scripts/check_bench.sh              builds the engine if need be
#   scripts/check_bench.sh COMMAND...   asks that one, such as ./enroque or qemu-aarch64 ./enroque
#
# A commit that can change what is searched ends with `Bench: N`.
set -euo pipefail
if [ $# -eq 0 ]; then
    cd "$(dirname "$0")/.."
    cargo build --release --quiet
    set -- target/release/enroque
fi
claimed=$(git log -1 --grep='^Bench: [0-9]' --format=%B | sed -n 's/^Bench: \([0-9][0-9]*\)$/\1/p' | tail -n 1)
bench=$("$@" bench | tail -n 1 | tr -d '\r')
counted=${bench%% *}
if [ -z "$claimed" ]; then
    echo "no commit names its bench; it is $counted" >&2
    exit 1
fi
if [ "$claimed" != "$counted" ]; then
    echo "the history says Bench: $claimed, the engine counts $counted" >&2
    exit 1
fi
echo "Bench: $bench"
