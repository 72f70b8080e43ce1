#!/usr/bin/env bash
# Compares the speed of our perft, on one thread, with another UCI engine's `go perft`.
#
#   scripts/perft_vs_uci.sh ENGINE [ROUNDS]
#
# Both programs take turns to count the same positions, ROUNDS times (5). The times include the start of the process. Prints
# the other engine's time divided by ours for each round, then minimum, median and maximum.
# Build first: cargo build --release
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }

engine=${1:?usage: scripts/perft_vs_uci.sh ENGINE [ROUNDS]}
rounds=${2:-5}
ours=$(dirname "$0")/../target/release/enroque

positions=(
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1"
    "brkr1bnn/2p1pp2/P5pp/1p1p3q/3P3P/5PR1/P1P1P1P1/B1KRQBNN w Ddb - 1 12"
    "1kqn1n2/rpp1Bpr1/2b3pp/3p4/p1Pb4/P4P2/1PNPPNPP/1BR2QKR w HC - 0 10"
)
depth=5

count() { # arguments: engine; prints the node count of every position
    {
        echo "setoption name UCI_Chess960 value true"
        for position in "${positions[@]}"; do
            echo "position fen $position"
            echo "go perft $depth"
        done
        echo quit
    } | "$1" | grep -i "^nodes searched"
}

seconds() { # arguments: engine; prints how long `count` takes
    local start=$EPOCHREALTIME
    count "$1" >/dev/null
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'
}

if ! diff <(count "$ours") <(count "$engine"); then
    echo "the node counts differ" >&2
    exit 1
fi
for ((round = 1; round <= rounds; round++)); do
    a=$(seconds "$ours")
    b=$(seconds "$engine")
    awk -v a="$a" -v b="$b" -v r="$round" 'BEGIN { printf "round %d: %.2f s against %.2f s, ratio %.3f\n", r, a, b, b / a }'
done | tee /dev/stderr | awk '{ print $NF }' | sort -n |
    awk '{ v[NR] = $1 } END { printf "ratio: min %s  median %s  max %s\n", v[1], v[int((NR + 1) / 2)], v[NR] }'
