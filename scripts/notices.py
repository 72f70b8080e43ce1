#!/usr/bin/env python3
"""Prints the licences of everything in the programs of this folder's workspace that is not our own code.

    scripts/notices.py TRIPLE >THIRD-PARTY.txt

TRIPLE is the target, such as x86_64-unknown-linux-musl. The texts come from the sources of the crates, as cargo has
unpacked them, and for the C libraries from the folder of Zig, which links them. If a crate under the MIT licence lacks the
text, we print the standard one with the authors that it names; any other crate without a text is an error. Equal texts
appear once.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

# These files hold licences. In a subfolder they belong to code that the crate bundles.
NAMES = re.compile(r"^(licen[cs]e|copyright|notice|unlicense)\b.*", re.IGNORECASE)
# C libraries that Zig links statically, and where Zig's folder `lib` has their licences.
ZIG = {"Zig's runtime library": "../LICENSE", "LLVM libunwind": "libunwind/LICENSE.TXT"}
# For targets whose triple contains the key.
SYSTEM = {
    "linux-musl": {"musl": "libc/musl/COPYRIGHT", **ZIG},
    "windows-gnu": {"MinGW-w64 runtime": "libc/mingw/COPYING", **ZIG},
}

# https://spdx.org/licenses/MIT.html
MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated \
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the \
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit \
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the \
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE \
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR \
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR \
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE."""


def metadata(triple):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", triple]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def linked(data):
    """Returns the crates whose code is in the program, so no procedural macros and no build or dev dependencies."""
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    is_macro = lambda package: any("proc-macro" in target["kind"] for target in package["targets"])
    own, found = set(data["workspace_members"]), set()
    pending = list(own)
    while pending:
        for dependency in nodes[pending.pop()]["deps"]:
            name = dependency["pkg"]
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_normal and name not in own | found and not is_macro(packages[name]):
                found.add(name)
                pending.append(name)
    return sorted((packages[name] for name in found), key=lambda package: (package["name"], package["version"]))


def texts(package):
    """Returns the licence texts of a crate. If we may choose, we take the MIT licence, the shortest."""
    licence = (package["license"] or "").replace("/", " OR ")
    is_choice = " OR " in licence and " AND " not in licence
    folder = Path(package["manifest_path"]).parent
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and NAMES.match(path.name)]
    files = [path for path in files if path.suffix.lower() not in (".rs", ".py", ".json", ".html")]
    own = [path for path in files if path.parent == folder]
    bundled = [path for path in files if path.parent != folder and len(path.relative_to(folder).parts) == 2]
    mit = [path for path in own if "mit" in path.name.lower()]
    if is_choice and mit:
        own = mit + [path for path in own if "notice" in path.name.lower()]
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in own + bundled]


def zig_folder():
    """Returns the folder `lib` of the Zig that cargo-zigbuild uses."""
    named = os.environ.get("CARGO_ZIGBUILD_ZIG_PATH")
    for command in [[named]] if named else [[sys.executable, "-m", "ziglang"], ["zig"]]:
        try:
            text = subprocess.run([*command, "env"], check=True, capture_output=True, text=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        return Path(re.search(r'lib_dir"?\s*[:=]\s*"([^"]+)"', text)[1])
    sys.exit("notices.py: no Zig; `pip install cargo-zigbuild` brings it")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    triple = sys.argv[1]
    owners, missing = {}, []
    data = metadata(triple)
    own = next(package["license"] for package in data["packages"] if package["id"] in data["workspace_members"])
    for package in linked(data):
        title = f"{package['name']} {package['version']} ({package['license']})"
        found = texts(package)
        if not found and package["license"] == own:
            found = ["The licence of this program itself: see LICENSE."]
        if not found and package["authors"] and "MIT" in re.split(r"[ /]", package["license"] or ""):
            found = [f"Copyright (c) {', '.join(package['authors'])}\n\n{MIT}"]
        if not found:
            missing.append(title)
        for text in found:
            owners.setdefault(text, []).append(title)
    if missing:
        sys.exit("notices.py: no licence text in " + ", ".join(missing))
    for part, libraries in SYSTEM.items():
        for library, file in libraries.items() if part in triple else []:
            text = (zig_folder() / file).read_text(encoding="utf-8", errors="replace").strip()
            owners.setdefault(text, []).append(library)
    print("This program contains the following software by others, under these licences.")
    for text, titles in owners.items():
        print("\n" + "=" * 80 + "\n" + "\n".join(dict.fromkeys(titles)) + "\n" + "-" * 80 + f"\n{text}")


if __name__ == "__main__":
    main()
