#!/usr/bin/env bash
# Runs every fuzz target for a while, beginning with the project's own seeds.
#
#   scripts/fuzz.sh [SECONDS]     each target for so long (10)
#
# Where cargo-fuzz and a nightly toolchain are installed the runs are guided by coverage and watched by the address
# sanitizer; elsewhere the targets are built as they are, and change the seeds blindly.
set -euo pipefail
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
run() { # target, folders, options
    if [ $guided = yes ]; then
        cargo +nightly fuzz run "$1" $2 -- $3
    else
        "target/fuzz/debug/$1" $3 $2
    fi
}

options="-max_total_time=$seconds -timeout=60 -rss_limit_mb=4096 -artifact_prefix=target/fuzz-"
for target in $targets; do
    folders=$found/$target
    mkdir -p "$folders"
    [ -d "fuzz/seeds/$target" ] && folders="$folders fuzz/seeds/$target"
    log=$found/$target.log
    if ! run "$target" "$folders" "$options" >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "fuzz: $target failed; the input lies in target/"
        exit 1
    fi
    printf '%-14s %s\n' "$target" "$(grep -o 'Done [0-9]* runs in [0-9]* second(s)' "$log")"
done
