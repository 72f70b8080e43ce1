#!/usr/bin/env python3
"""Packs the built programs, or the page for browsers, with the licences into an archive in dist/.

    scripts/pack.py SYSTEM FOLDER HOST_FOLDER TRIPLE
    scripts/pack.py web PAGE

SYSTEM is part of the archive's name. Linux and macOS get a tar.gz, others a zip. FOLDER has the programs; those in
HOST_FOLDER run on this machine and write the manual and the completions. THIRD-PARTY.txt has the licences of all crates
for the target TRIPLE, RUST-LIBRARY.html the licences of the standard library. The same files make the same archive, byte
for byte.
"""

import gzip
import posixpath
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["enroque-tools", "enroque-learn"]
COMPLETIONS = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish", "powershell": "{}.ps1"}

DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "nets/README.md", "web/README.md"]
DOCUMENTS += [f"docs/{path.name}" for path in sorted(ROOT.glob("docs/*.md"))]
PICTURES = [f"docs/{path.name}" for path in ROOT.glob("docs/*.png")] + ["nets/loss.svg"]


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


def add_documents(folder):
    """Adds the documents. A link to a file that the archive lacks, such as a source, becomes plain text."""

    def link(name, found):
        text, target = found.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target.partition("#")[0]))
        return found[0] if "://" in target or path in [*DOCUMENTS, *PICTURES, "LICENSE"] else text

    for name in ("docs", "nets", "web"):
        (folder / name).mkdir()
    for name in PICTURES:
        shutil.copy(ROOT / name, folder / name)
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        text = re.sub(r"\[([^\]]*)\]\(([^)#][^)]*)\)", lambda found, name=name: link(name, found), text)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def add_program_files(folder, host, triple):
    (folder / "THIRD-PARTY.txt").write_bytes(output(ROOT / "scripts/notices.py", triple))
    (folder / "man").mkdir()
    shutil.copy(ROOT / "docs/enroque.6", folder / "man")
    (folder / "completions").mkdir()
    for tool in TOOLS:
        program = Path(host, tool)
        output(program, "man", folder / "man")
        for shell, name in COMPLETIONS.items():
            (folder / "completions" / name.format(tool)).write_bytes(output(program, "completions", shell))


def write_tar(path, work, files, seconds):
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = seconds
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        return entry

    # By default gzip stores the file's name and time, and no two archives would be alike.
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as compressed:
        with tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for file in files:
                archive.add(file, file.relative_to(work).as_posix(), filter=plain)


def write_zip(path, work, files, seconds):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(work).as_posix(), time.gmtime(seconds)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if file.suffix == ".exe" else 0o644) << 16
            archive.writestr(entry, file.read_bytes())


def main():
    if len(sys.argv) != (3 if sys.argv[1:2] == ["web"] else 5):
        sys.exit(__doc__.strip())
    system, file, *tools = sys.argv[1:]
    version = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    is_tar = system.startswith(("linux", "macos"))
    path = ROOT / "dist" / f"enroque-{version}-{system}.{'tar.gz' if is_tar else 'zip'}"
    library = Path(output("rustc", "--print", "sysroot").decode().strip(), "share/doc/rust/COPYRIGHT-library.html")
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, f"enroque-{version}-{system}")
        folder.mkdir()
        suffix = ".exe" if "windows" in system else ""
        programs = [Path(file, name + suffix) for name in ["enroque", *TOOLS]] if tools else [file]
        for source in [*programs, ROOT / "LICENSE"]:
            shutil.copy(source, folder)
        add_documents(folder)
        if tools:
            add_program_files(folder, *tools)
        else:
            shutil.copy(Path(file).with_name("THIRD-PARTY.txt"), folder)
        if library.exists():
            shutil.copyfile(library, folder / "RUST-LIBRARY.html")
        else:
            print(f"pack.py: {library} is missing; the archive lacks those licences", file=sys.stderr)
        path.parent.mkdir(exist_ok=True)
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        seconds = int(output("git", "log", "-1", "--format=%ct"))
        (write_tar if is_tar else write_zip)(path, Path(work), files, seconds)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
