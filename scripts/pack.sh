#!/usr/bin/env bash
# Packs a built engine with licences, manual and completions into dist/. The archive is reproducible.
#
#   scripts/pack.sh SYSTEM BINARY HOST_BINARY TRIPLE
#
# SYSTEM is part of the archive's name. Windows gets a zip, others a tar.gz. HOST_BINARY writes manual and completions on
# this machine. THIRD-PARTY.txt has the licences of all crates for the target TRIPLE, RUST-LIBRARY.html those of the
# standard library.
set -euo pipefail
cd "$(dirname "$0")/.."
system=$1 binary=$2 host=$3 triple=$4

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
name=enroque-$version-$system
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/completions" "$folder/man" dist
cp "$binary" "$folder/"
cp LICENSE README.md CHANGELOG.md "$folder/"
scripts/notices.py "$triple" >"$folder/THIRD-PARTY.txt"
library=$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html
if [ -f "$library" ]; then
    cp "$library" "$folder/RUST-LIBRARY.html"
else
    echo "pack.sh: $library is missing; the archive lacks the licences of Rust's standard library" >&2
fi
"$host" man --output "$folder/man"
"$host" completions bash >"$folder/completions/enroque.bash"
"$host" completions zsh >"$folder/completions/_enroque"
"$host" completions fish >"$folder/completions/enroque.fish"
"$host" completions powershell >"$folder/completions/enroque.ps1"

# The time of the commit makes the archive reproducible.
time=$(git log -1 --format=%ct 2>/dev/null || echo 0)
find "$folder" -exec touch -d "@$time" {} +
case $system in
    windows*)
        archive=$PWD/dist/$name.zip
        rm -f "$archive"
        (cd "$work" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -qX "$archive" -@)
        ;;
    *)
        archive=$PWD/dist/$name.tar.gz
        tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -n9 >"$archive"
        ;;
esac
echo "${archive#"$PWD"/}: $(du -h "$archive" | cut -f1)"
