#!/usr/bin/env bash
# Unpacks Debian's Rust compiler, the source of its standard library and the linker into a folder, without root, for a machine
# without rustup. `RUST_WEB=FOLDER web/build.sh` then builds the module, and needs no network for the standard library.
#
#   web/debian_rust.sh FOLDER
set -euo pipefail
if [ $# -ne 1 ]; then
    echo "usage: web/debian_rust.sh FOLDER" >&2
    exit 2
fi
mkdir -p "$1/packages"
cd "$1/packages"

# Prints the packages on which $1 depends and whose names match $2.
depends() { apt-cache depends "$1" | sed -n "s/^ *Depends: \($2\)$/\1/p"; }

driver=$(depends libstd-rust-web-dev 'libstd-rust-web-[0-9.]*')
llvm=$(depends "$driver" 'libllvm[0-9]*')
git=$(depends cargo-web 'libgit2-[0-9.]*')
if [ -z "$driver" ] || [ -z "$llvm" ]; then
    echo "web/debian_rust.sh: apt does not know rustc-web; 'apt-get update', with Debian's security archive" >&2
    exit 2
fi
apt-get download rustc-web cargo-web rust-web-src libstd-rust-web-dev "$driver" "$llvm" "lld-${llvm#libllvm}" $git
for package in *.deb; do
    dpkg-deb --extract "$package" ..
done
rm -r "$PWD"
