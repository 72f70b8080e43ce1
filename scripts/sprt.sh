#!/usr/bin/env bash
# Tests the working tree against a commit in games, by a sequential probability ratio test (SPRT).
#
#   scripts/sprt.sh BOOK [COMMIT] [BOUNDS] [LIMIT]
#
#   BOOK    openings, .epd or .pgn; double Chess960 suits most changes
#   COMMIT  the opponent (HEAD)
#   BOUNDS  Elo bounds (0,5); -8,0 if a change need only not lose
#   LIMIT   nodes=10000 by default, which works on a busy machine; or tc=2+0.02, on an idle one
#
# Environment: CONCURRENCY, games at once (all cores); ROUNDS, pairs at most (20000); ALPHA, error rate (0.05).
# Needs fastchess or cutechess-cli on the PATH; of the two, fastchess prints pentanomial statistics. The match ends when
# the test is decided, or after ROUNDS. Add the result to docs/experiments.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }

book=$(realpath "${1:?usage: scripts/sprt.sh BOOK [COMMIT] [BOUNDS] [LIMIT]}")
[ -f "$book" ] || { echo "sprt.sh: no book $book" >&2; exit 2; }
runner=$(command -v fastchess || command -v cutechess-cli) || {
    echo "sprt.sh: neither fastchess nor cutechess-cli is on the PATH" >&2
    exit 2
}
cd "$(dirname "$0")/.."
commit=$(git rev-parse --short "${2:-HEAD}")
bounds=${3:-0,5}
limit=${4:-nodes=10000}
concurrency=${CONCURRENCY:-$(nproc)}
rounds=${ROUNDS:-20000}
alpha=${ALPHA:-0.05}

work=target/sprt
mkdir -p "$work"
cargo build --release --quiet
cp target/release/enroque "$work/new"
if [ ! -x "$work/$commit" ]; then
    rm -rf "$work/source"
    git worktree prune
    git worktree add --quiet --detach "$work/source" "$commit"
    (cd "$work/source" && CARGO_TARGET_DIR=../build cargo build --release --quiet)
    cp "$work/build/release/enroque" "$work/$commit"
    git worktree remove --force "$work/source"
fi

case $limit in
    nodes=*) each=("$limit" tc=inf) ;;
    *) each=("$limit") ;;
esac
format=${book##*.}
engines=(-engine cmd="$work/new" name=new -engine cmd="$work/$commit" name="$commit")
common=(-each proto=uci "${each[@]}" option.Hash=16 -variant fischerandom -games 2 -repeat -rounds "$rounds"
    -openings file="$book" format="$format" order=random -concurrency "$concurrency" -recover)
sprt=(-sprt elo0="${bounds%,*}" elo1="${bounds#*,}" alpha="$alpha" beta="$alpha")

if [ "${runner##*/}" = fastchess ]; then
    fastchess "${engines[@]}" "${common[@]}" "${sprt[@]}" model=logistic \
        -draw movenumber=34 movecount=8 score=12 -resign movecount=3 score=600 -report penta=true -ratinginterval 100
else
    cutechess-cli "${engines[@]}" "${common[@]}" "${sprt[@]}" -draw movenumber=34 movecount=8 score=12 \
        -resign movecount=3 score=600 -ratinginterval 100
fi
