#!/usr/bin/env python3
"""Fails when a room includes another that it must not know.

    server -> {analyzers, ranker, sandbox} -> proto    sandbox -> emulator    clients -> proto

Usage: include_direction.py ROOT
"""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "proto": {"proto"},
    "emulator": {"emulator", "proto"},
    "analyzers": {"analyzers", "proto"},
    "ranker": {"ranker", "proto"},
    "sandbox": {"sandbox", "emulator", "proto"},
    "server": {"server", "analyzers", "ranker", "sandbox", "proto"},
    "clients": {"clients", "proto"},
}
# tests/ and bench/ may include every room.
SOURCES = {".h", ".cc", ".c", ".proto"}
INCLUDE = re.compile(r'^\s*(?:#\s*include\s+|import\s+)"([^"]+)"')


def room_of(root, included):
    """The room an included path belongs to; None for a library's header."""
    if included.startswith("cudaperf/"):
        return "proto"
    first = included.split("/")[0]
    return first if "/" in included and (root / first).is_dir() else None


def violations(root):
    for room, allowed in MAY_INCLUDE.items():
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                where = f"{path.relative_to(root)}:{number}"
                target = room_of(root, match[1])
                if target is not None and target not in allowed:
                    yield f"{where}: {room} may not include {match[1]}"
                if (path.parent / match[1]).is_file() and not (root / match[1]).is_file():
                    yield f"{where}: {match[1]} is not written from the repository's root"


def main():
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every include follows the rooms' direction")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
