#!/usr/bin/env bash
# Tests a built engine, in an emulator if this machine can't run it.
#
#   scripts/try_binary.sh COMMAND...
#   scripts/try_binary.sh ./enroque
#   scripts/try_binary.sh qemu-x86_64 -cpu qemu64 ./enroque
#   scripts/try_binary.sh qemu-aarch64 ./enroque
#   scripts/try_binary.sh wine enroque.exe
#
# - a UCI session
# - bench against the newest `Bench:` line in the git history
# - self-play and a sweep with the programs next to it: killed and resumed runs must write the same files as whole runs
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
cd "$(dirname "$0")/.."
export WINEDEBUG=${WINEDEBUG:--all}
engine=("${1:?usage: scripts/try_binary.sh COMMAND...}" "${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$1: failed" >&2
    exit 1
}

session=$("${engine[@]}" uci compiler 'setoption name UCI_Chess960 value true' 'position sp 334 moves g2g3' 'go depth 10' | tr -d '\r')
grep -q '^uciok$' <<<"$session" || fail "UCI session"
grep -q '^bestmove [a-h][1-8][a-h][1-8]' <<<"$session" || fail "UCI session"
grep -o 'kernels .*' <<<"$session"

scripts/check_bench.sh "${engine[@]}"

interrupted() { # runs a command and kills it after 0.1 s, and again after a third longer each time, until it finishes
    local milliseconds=100 kills=0
    while ! timeout --foreground -s KILL "$(printf '%d.%03d' $((milliseconds / 1000)) $((milliseconds % 1000)))" "$@" \
        >/dev/null 2>&1; do
        kills=$((kills + 1))
        [ $kills -lt 30 ] || fail "$*"
        milliseconds=$((milliseconds * 4 / 3))
    done
    [ $kills -gt 0 ] || fail "$*: finished before it was killed"
    echo "killed $kills times"
}
cd "$work"
# macOS still has bash 3.2, where indices can't be negative.
last=$((${#engine[@]} - 1))
engine[last]=$(cd "$OLDPWD" && realpath "${engine[$last]}")
folder=$(dirname "${engine[$last]}")
suffix=$(basename "${engine[$last]}" | sed 's/^enroque//')
learn=("${engine[@]}") tools=("${engine[@]}")
learn[last]=$folder/enroque-learn$suffix
tools[last]=$folder/enroque-tools$suffix
play=(datagen --games 12 --nodes 300 --threads 1 --seed 5 --tree 3)
"${learn[@]}" "${play[@]}" whole.gz >/dev/null 2>&1 || fail "datagen"
printf 'datagen: '
interrupted "${learn[@]}" "${play[@]}" killed.gz
cmp whole.gz killed.gz || fail "datagen"
cmp whole.gz.tree killed.gz.tree || fail "datagen"
"${learn[@]}" data merge --anyway merged.gz whole.gz killed.gz >/dev/null 2>&1 || fail "data merge"
sweep=(sweep --range 0..59 --nodes 20000 --hash 1 --threads 1)
"${tools[@]}" "${sweep[@]}" whole.csv >/dev/null 2>&1 || fail "sweep"
printf 'sweep: '
interrupted "${tools[@]}" "${sweep[@]}" killed.csv
cmp whole.csv killed.csv || fail "sweep"
echo "all tests passed"
