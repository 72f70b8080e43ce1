#!/usr/bin/env bash
# Builds the engine for the browser.
#
#   web/build.sh             dist/enroque.wasm, and the page dist/enroque.html with the engine inside; dist/app for web
#                            servers; dist/THIRD-PARTY.txt with the licences of others; dist/package, the npm package
#   web/build.sh --module    only the module
#
# The module needs Rust's standard library for wasm32-unknown-unknown: `rustup target add wasm32-unknown-unknown`, or
# Debian's packages rustc-web, cargo-web and rust-web-src, from whose source it is built (web/debian_rust.sh unpacks them into
# a folder without root; RUST_WEB names that folder). Page and package need node and npm.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
cd "$(dirname "$0")"

triple=wasm32-unknown-unknown
# Licences of the standard library.
library=$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html
# A ply of the search takes some 8 KiB of stack.
stack=$((8 << 20))
flags="-C target-feature=+simd128 -C link-arg=-zstack-size=$stack"
# Less inlining: the same speed, and the page is smaller.
flags="$flags -C llvm-args=--inline-threshold=60"
# Loop strength reduction computes addresses that WebAssembly's loads and stores could have as offsets.
flags="$flags -C llvm-args=-disable-lsr"
target=${CARGO_TARGET_DIR:-$PWD/target}
options=()
if [ -n "${RUST_WEB:-}" ]; then
    root=$(cd "$RUST_WEB" && pwd)
    export PATH="$root/usr/bin:$PATH"
    export LD_LIBRARY_PATH="$root/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu:$root/usr/lib"
    export RUSTC_BOOTSTRAP=1 CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}"
    options=("-Zbuild-std=std,panic_abort")
    flags="$flags -C linker=$(echo "$root"/usr/lib/llvm-*/bin/wasm-ld)"
    target=$target/debian
elif ! [ -d "$(rustc --print target-libdir --target $triple)" ]; then
    echo "web/build.sh: no standard library for $triple: 'rustup target add $triple', or set RUST_WEB to a folder made" \
        "by web/debian_rust.sh" >&2
    exit 2
fi
RUSTFLAGS="$flags" cargo build --release --locked --target $triple --target-dir "$target" \
    ${options[@]+"${options[@]}"}
mkdir -p dist
cp "$target/$triple/release/enroque_web.wasm" dist/enroque.wasm
if [ "${1:-}" != --module ]; then
    [ -x node_modules/.bin/wasm-opt ] || npm ci --no-audit --no-fund --silent
    # A twentieth smaller, at the same speed.
    node_modules/.bin/wasm-opt -Os dist/enroque.wasm -o dist/enroque.wasm
fi
printf '%s: %d bytes, %d compressed\n' web/dist/enroque.wasm "$(wc -c <dist/enroque.wasm)" \
    "$(gzip -9c dist/enroque.wasm | wc -c)"
if [ "${1:-}" != --module ]; then
    node build.mjs page package
    ../scripts/notices.py $triple >dist/package/THIRD-PARTY.txt
    cat dist/package/THIRD-PARTY.txt page/notices.txt >dist/THIRD-PARTY.txt
    if [ -f "$library" ]; then
        cp "$library" dist/package/RUST-LIBRARY.html
    else
        echo "web/build.sh: $library is missing; the package lacks those licences" >&2
    fi
fi
