#!/usr/bin/env python3
"""Fails when a room, or a folder of sandbox/ with sources, has no README, or a README names a file that is not there.

Usage: readmes.py ROOT [INCLUDE_FOLDER]: headers may also be of the toolkit.
"""
import os
import pathlib
import re
import sys

ROOMS = ["proto", "emulator", "analyzers", "ranker", "sandbox", "server", "clients", "tasks", "bench", "deploy", "tests/hostile"]
# `name.ext` in backquotes: the end of some file's path. Kernels are left out: `candidate.cu` stands for any.
FILE_NAME = re.compile(r"`([\w./-]+\.(?:h|cc|proto|py|md))`")


def folders(root):
    for room in ROOMS:
        if (root / room).is_dir():
            yield root / room
    for folder in sorted((root / "sandbox").glob("*/")):
        if any(folder.glob("*.cc")):
            yield folder


def all_files(root):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if name not in ("build", ".git", ".cache")]
        yield from (f"{folder}/{name}" for name in names)


def problems(root, include_folders):
    files = list(all_files(root))
    for folder in folders(root):
        readme = folder / "README.md"
        if not readme.is_file():
            yield f"{folder.relative_to(root)} has no README.md"
            continue
        for name in sorted(set(FILE_NAME.findall(readme.read_text(encoding="utf-8")))):
            if any(file.endswith("/" + name) for file in files) or any((base / name).is_file() for base in include_folders):
                continue
            yield f"{readme.relative_to(root)} names {name}, which is not there"


def main():
    found = list(problems(pathlib.Path(sys.argv[1]), [pathlib.Path(folder) for folder in sys.argv[2:]]))
    print("\n".join(found) or "every room has a README, and the files it names are there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
