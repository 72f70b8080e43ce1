#!/usr/bin/env bash
# Runs every fuzz target, beginning with the project's seeds.
#
#   scripts/fuzz.sh [SECONDS]     how long each target runs (10)
#
# If there is cargo-fuzz and a nightly toolchain, coverage guides the runs and the address sanitizer watches them. Otherwise
# plain builds mutate the seeds blindly.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
cd "$(dirname "$0")/.."
seconds=${1:-10}
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

targets=$(sed -n 's/^name = "\(.*\)"$/\1/p' fuzz/Cargo.toml | grep -v '^enroque-fuzz$')
if cargo +nightly fuzz --version >/dev/null 2>&1; then
    guided=yes
else
    guided=no
    cargo build --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --quiet
fi
run() { # arguments: target, folders; reads $options
    local target=$1
    shift
    if [ $guided = yes ]; then
        cargo +nightly fuzz run "$target" "$@" -- "${options[@]}"
    else
        "target/fuzz/debug/$target" "${options[@]}" "$@"
    fi
}

options=(-max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 -artifact_prefix=target/fuzz-)
for target in $targets; do
    folders=("$found/$target")
    mkdir -p "${folders[@]}"
    [ -d "fuzz/seeds/$target" ] && folders+=("fuzz/seeds/$target")
    log=$found/$target.log
    if ! run "$target" "${folders[@]}" >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "fuzz: $target failed; its input is in target/"
        exit 1
    fi
    printf '%-14s %s\n' "$target" "$(grep -o 'Done [0-9]* runs in [0-9]* second(s)' "$log")"
done
