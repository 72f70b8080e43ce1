#!/usr/bin/env bash
# maturin 1.16.0 (PyPI): what a wheel says about a dependency that is a folder of the same checkout.
# Guess: the list of components in the wheel (SBOM, CycloneDX) names it by name and version, or by its place in the project.
# Seen:  it holds the absolute folder of the machine that built the wheel, which often has the builder's user name in it.
# Why it matters: everyone who downloads the wheel can read it, and two builders get different wheels from one source.
# What helps: build in a folder whose name says nothing.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export PYTHONPATH=$dir/lib
python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-compile --target lib maturin==1.16.0
export CARGO_TARGET_DIR=$dir/target
mkdir -p home/checkout/{src,part/src}
cd home/checkout
printf '[package]\nname = "whole"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\npart = { path = "part" }\n' >Cargo.toml
printf '[package]\nname = "part"\nversion = "0.1.0"\nedition = "2021"\n' >part/Cargo.toml
printf '[build-system]\nrequires = ["maturin"]\nbuild-backend = "maturin"\n[project]\nname = "whole"\nversion = "0.1.0"\n[tool.maturin]\nbindings = "bin"\n' >pyproject.toml
echo 'fn main() {}' >src/main.rs
touch part/src/lib.rs
../../lib/bin/maturin build --quiet --offline --out ../../wheels 2>/dev/null >&2
cd "$dir"
unzip -p wheels/*.whl '*.dist-info/sboms/*.json' | grep -o 'file://[^"#?]*/part' | sort -u | sed "s|$dir|BUILDER|" >seen
cat seen
diff - seen <<'END'
file://BUILDER/home/checkout/part
END
