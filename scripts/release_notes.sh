#!/usr/bin/env bash
# Prints what CHANGELOG.md says about a version, for the page of the release.
#
#   scripts/release_notes.sh VERSION
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
version=${1:?usage: scripts/release_notes.sh VERSION}
cd "$(dirname "$0")/.."
notes=$(awk -v heading="## $version" '/^## /{on = index($0 " ", heading " ") == 1; next} on' CHANGELOG.md)
[ -n "${notes//[[:space:]]/}" ] || { echo "release_notes.sh: CHANGELOG.md has no section '## $version'" >&2; exit 1; }
printf '%s\n' "$notes"
