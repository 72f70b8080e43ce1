#!/usr/bin/env bash
# Tries the built packages as a stranger would: each from its packed file, in an empty folder.
#
#   scripts/try_packages.sh [wheel] [sdist] [crates] [npm]
#
#   wheel   dist/*.whl in a fresh environment of Python, with python-chess and the PyPI package `stockfish`
#   sdist   dist/*.tar.gz of maturin, compiled by pip
#   crates  target/package/*.crate: `cargo install`, and a program that uses the library
#   npm     dist/*.tgz in fresh npm projects, with node-uci, Vite and chessground
#
# `make packages` and `cargo package --workspace` write these files. Without arguments, it tries wheel, crates and npm.
set -euo pipefail
[ "${1-}" != --help ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit; }
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)

# Prints how long a command took.
timed() { # what, command...
    local start=$SECONDS
    "${@:2}"
    echo "$1: $((SECONDS - start)) s"
}

new_python() { # folder
    local python
    python=$(command -v python3 || command -v python)
    "$python" -m venv "$1"
    [ ! -d "$1/Scripts" ] || ln -s Scripts "$1/bin" 2>/dev/null || cp -r "$1/Scripts" "$1/bin"
}

# Prints the first code block of a language in docs/libraries.md, or the text that should come out of it.
block() { # language
    awk -v start="\`\`\`$1" '$0 == start {inside = 1; next} inside && /^```/ {exit} inside' "$root/docs/libraries.md"
}
expected() { # language
    awk -v start="\`\`\`$1" '$0 == start {found = 1} found && /^```text$/ {inside = 1; next}
        inside && /^```/ {exit} inside' "$root/docs/libraries.md"
}
# Compares what a program prints with docs/libraries.md.
same_output() { # language, command...
    diff <(expected "$1") <("${@:2}" | tr -d '\r') || { echo "docs/libraries.md: $1 prints something else" >&2; exit 1; }
    echo "the $1 program of docs/libraries.md prints what it should"
}

try_python() { # folder of the environment
    cp "$root"/python/tests/*.py "$work"
    (cd "$work" && "$1/bin/python" -W ignore::ResourceWarning -m unittest -v test_enroque test_stockfish_class)
    block python >"$work/program.py"
    (cd "$work" && same_output python "$1/bin/python" program.py)
}

try_wheel() {
    new_python "$work/wheel"
    timed "pip install" "$work/wheel/bin/pip" install --quiet --find-links "$root/dist" "enroque[chess]==$version" stockfish==5.2.0
    try_python "$work/wheel"
}

try_sdist() {
    new_python "$work/sdist"
    timed "pip install from source" "$work/sdist/bin/pip" install --quiet --no-binary enroque --find-links "$root/dist" \
        "enroque[chess]==$version" stockfish==5.2.0
    try_python "$work/sdist"
}

# Cargo takes the packed crates in place of those on crates.io.
try_crates() {
    mkdir -p "$work/crates/.cargo" "$work/crates/mate/src"
    cd "$work/crates"
    echo '[patch.crates-io]' >.cargo/config.toml
    for name in enroque enroque-study enroque-runs enroque-tools enroque-learn; do
        tar xf "$root/target/package/$name-$version.crate"
        echo "$name = { path = '$PWD/$name-$version' }" >>.cargo/config.toml
    done
    for name in enroque enroque-tools; do
        timed "cargo install $name" cargo install --quiet --locked --root "$work/installed" --path "$name-$version"
        "$work/installed/bin/$name" --version
    done
    "$work/installed/bin/enroque" 'position sp 334' 'go depth 8' | tail -n 1 | grep '^bestmove '
    "$work/installed/bin/enroque-tools" startpos 334 | head -n 3
    cat >mate/Cargo.toml <<END
[package]
name = "mate"
version = "0.0.0"
edition = "2024"

[dependencies]
enroque = "$version"
END
    block rust >mate/src/main.rs
    timed "cargo add enroque" cargo build --quiet --manifest-path mate/Cargo.toml
    same_output rust cargo run --quiet --manifest-path mate/Cargo.toml
    cd "$root"
}

try_npm() {
    local browser
    browser=${CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
    CHROMIUM=$browser node web/package/try.mjs "dist/enroque-$version.tgz"
    mkdir "$work/npm"
    cd "$work/npm"
    npm install --no-audit --no-fund --silent "$root/dist/enroque-$version.tgz"
    block js >program.mjs
    same_output js node program.mjs
    cd "$root"
}

for part in "${@:-wheel crates npm}"; do
    for name in $part; do
        printf '\n== %s\n' "$name"
        "try_$name"
    done
done
