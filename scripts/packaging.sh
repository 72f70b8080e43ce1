#!/usr/bin/env bash
# Fills the files for package managers with the data of a release and writes them to dist/packaging/.
#
#   scripts/packaging.sh VERSION SHA256SUMS
#   scripts/packaging.sh 0.2.0 dist/SHA256SUMS
#
# VERSION must be that of Cargo.toml, which also has the address of the repository (`repository`). SHA256SUMS is the output of
# sha256sum for the files of the release. In the files of packaging/ it replaces
#   @VERSION@        the version
#   @REPOSITORY@     the address
#   @SHA256:FILE@    the hash of a file of the release
# Nothing is written if one of them would be left.
set -euo pipefail
fail() {
    echo "scripts/packaging.sh: $1" >&2
    exit 2
}
[ $# -eq 2 ] || fail "expected VERSION and SHA256SUMS"
version=$1
sums=$(cat "$2")
cd "$(dirname "$0")/.."
field() { sed -n "s/^$1 = \"\(.*\)\"$/\1/p" Cargo.toml | head -n 1; }
[ "$version" = "$(field version)" ] || fail "version $version, but Cargo.toml has $(field version)"
repository=$(field repository)
[[ $repository =~ ^https://[A-Za-z0-9./_~-]*[A-Za-z0-9]$ ]] || fail "no address 'repository = \"https://…\"' in Cargo.toml"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Turns each line of the list into a command of sed.
hashes=$(sed -nE 's,^([0-9a-f]{64}) [ *](.*/)?([A-Za-z0-9._+-]+)$,s|@SHA256:\3@|\1|g,p' <<<"$sums")
twice=$(cut -d'|' -f2 <<<"$hashes" | sort | uniq -d)
[ -z "$twice" ] || fail "$2 lists twice: $twice"
cd packaging
for file in aur/PKGBUILD aur/.SRCINFO homebrew/enroque.rb winget/*.yaml; do
    mkdir -p "$work/${file%/*}"
    sed -e "s|@VERSION@|$version|g" -e "s|@REPOSITORY@|$repository|g" -e "$hashes" "$file" >"$work/$file"
done
if left=$(grep -rhoE '@[A-Z0-9]+(:[^@]*)?@' "$work"); then
    fail "no value for $(sort -u <<<"$left" | tr '\n' ' ')"
fi
cd ..
rm -rf dist/packaging
mkdir -p dist
cp -R "$work" dist/packaging
echo "dist/packaging/"
