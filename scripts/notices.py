#!/usr/bin/env python3
"""Prints the licences of everything that a built program contains beside the code of this project.

    scripts/notices.py TRIPLE >THIRD-PARTY.txt

TRIPLE is the target, such as x86_64-unknown-linux-gnu. The texts are those in the sources of the crates, as cargo has
unpacked them; a crate without any is an error. Equal texts are printed once. Licences of the C libraries come from
Debian's packages, if they are installed.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

# Names of files with licences. In a folder below the crate's they belong to code that it bundles.
NAMES = re.compile(r"^(licen[cs]e|copyright|notice|unlicense)\b.*", re.IGNORECASE)
# C libraries that are linked statically, by a part of the triple, with their copyright files.
SYSTEM = {
    "linux-gnu": [("GNU C Library", "libc6")],
    "windows-gnu": [("MinGW-w64 runtime", "mingw-w64-x86-64-dev"), ("GCC runtime", "gcc-mingw-w64-base")],
}


def metadata(triple):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", triple]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def linked(data):
    """Returns the crates that become part of the program: normal dependencies, without procedural macros."""
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    is_macro = lambda package: any("proc-macro" in target["kind"] for target in package["targets"])
    root, found = data["resolve"]["root"], set()
    pending = [root]
    while pending:
        for dependency in nodes[pending.pop()]["deps"]:
            name = dependency["pkg"]
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_normal and name not in found and not is_macro(packages[name]):
                found.add(name)
                pending.append(name)
    return sorted((packages[name] for name in found), key=lambda package: (package["name"], package["version"]))


def texts(package):
    """Returns the licence texts of a crate. Of several to choose from the MIT licence is taken, the shortest."""
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


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    triple = sys.argv[1]
    owners, missing = {}, []
    data = metadata(triple)
    own = next(package["license"] for package in data["packages"] if package["id"] == data["resolve"]["root"])
    for package in linked(data):
        title = f"{package['name']} {package['version']} ({package['license']})"
        found = texts(package)
        if not found and package["license"] == own:
            found = ["The licence of this program itself: see LICENSE."]
        if not found:
            missing.append(title)
        for text in found:
            owners.setdefault(text, []).append(title)
    if missing:
        sys.exit("notices.py: no licence text in " + ", ".join(missing))
    for end, libraries in SYSTEM.items():
        for library, debian in libraries if triple.endswith(end) else []:
            path = Path("/usr/share/doc") / debian / "copyright"
            if path.exists():
                owners.setdefault(path.read_text(errors="replace").strip(), []).append(library)
            else:
                print(f"notices.py: {path} is missing; {library} is not listed", file=sys.stderr)
    print("This program contains the following software of others, under these licences.")
    for text, titles in owners.items():
        print("\n" + "=" * 80 + "\n" + "\n".join(dict.fromkeys(titles)) + "\n" + "-" * 80 + f"\n{text}")


if __name__ == "__main__":
    main()
