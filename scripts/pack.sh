#!/usr/bin/env bash
# Packs a built engine with licence, manual and completions into dist/. The archive is reproducible.
#
#   scripts/pack.sh SYSTEM BINARY HOST_BINARY
#
# SYSTEM is part of the archive's name. Windows gets a zip, others a tar.gz. HOST_BINARY prints manual and completions on
# this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
system=$1 binary=$2 host=$3

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
name=enroque-$version-$system
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/completions" dist
cp "$binary" "$folder/"
cp LICENSE README.md CHANGELOG.md "$folder/"
"$host" man >"$folder/enroque.6"
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
