#!/usr/bin/env bash
# Sets the version in every file that has it, or checks that all of them have it.
#
#   scripts/set_version.sh VERSION            such as 0.3.0
#   scripts/set_version.sh --check [VERSION]  exits with 1 if a file has another version
#
# Cargo.toml has the version of the five crates and the npm package, and python/Cargo.toml the wheel's.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
cd "$(dirname "$0")/.."
current=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
files=(Cargo.toml python/Cargo.toml)

if [ "${1-}" = --check ]; then
    version=${2:-$current}
    for file in "${files[@]}"; do
        found=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$file" | head -n 1)
        [ "$found" = "$version" ] || { echo "$file has version $found, not $version" >&2; exit 1; }
        others=$(grep -oE 'path = "[^"]+", version = "[^"]+"' "$file" | grep -v "version = \"$version\"" || true)
        [ -z "$others" ] || { echo "$file: $others, not $version" >&2; exit 1; }
    done
    exit
fi

version=${1:?usage: scripts/set_version.sh VERSION}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "set_version.sh: $version is not like 0.3.0" >&2; exit 2; }
sed -i -E "s/^version = \"$current\"/version = \"$version\"/; s/(path = \"[^\"]+\", version = )\"$current\"/\1\"$version\"/" "${files[@]}"
# The lock files name our own packages, too.
for manifest in Cargo.toml python/Cargo.toml web/Cargo.toml fuzz/Cargo.toml; do
    cargo update --quiet --workspace --manifest-path "$manifest"
done
"$0" --check "$version"
