#!/usr/bin/env bash
# Unpacks Debian's Rust compiler, the source of its standard library and the linker into a folder, without root, for a machine
# without rustup. `RUST_WEB=FOLDER web/build.sh` then builds the module and the standard library.
#
#   web/debian_rust.sh FOLDER
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
if [ $# -ne 1 ]; then
    echo "usage: web/debian_rust.sh FOLDER" >&2
    exit 2
fi
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
offered=$(apt-cache policy rustc-web | sed -n 's/^ *Candidate: \([0-9.]*\).*/\1/p')
if [ -n "$offered" ] && dpkg --compare-versions "$offered" lt "$needed"; then
    echo "web/debian_rust.sh: Debian's rustc-web is $offered, but Enroque needs Rust $needed; use rustup" >&2
    exit 2
fi
mkdir -p "$1/packages"
cd "$1/packages"

# Prints the names of the packages that are not installed and that these packages need, themselves included.
missing() { apt-get install --print-uris --yes --no-install-recommends "$@" | sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p"; }

driver=$(apt-cache depends libstd-rust-web-dev | sed -n 's/^ *Depends: \(libstd-rust-web-[0-9.]*\)$/\1/p')
llvm=$(apt-cache depends "$driver" | sed -n 's/^ *Depends: libllvm\([0-9]*\)$/\1/p')
if [ -z "$llvm" ]; then
    echo "web/debian_rust.sh: apt does not know rustc-web; 'apt-get update', with Debian's security archive" >&2
    exit 2
fi
mapfile -t packages < <(missing rustc-web cargo-web rust-web-src "lld-$llvm")
apt-get download "${packages[@]}"
for package in *.deb; do
    dpkg-deb --extract "$package" ..
done
rm -r "$PWD"
