#!/usr/bin/env python3
"""Fails when a tracked text file names this checkout's own path, a home folder, or where packages are fetched from.

Usage: no_machine_paths.py ROOT. Prints SKIP outside of a git checkout.
"""
import pathlib
import re
import subprocess
import sys

# Hostile candidates name such paths on purpose.
EXEMPT = ("tests/hostile/", "tests/sandbox/", "tests/guards/no_machine_paths.py")
FORBIDDEN = [
    re.compile(r"(?<![\w.$}])/(?:home|root|Users)/[a-z]"),
    re.compile(r"--(?:extra-)?index-url|PIP_INDEX_URL|https?://[^/\s]*(?:pypi|artifactory|nexus|mirror)"),
]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    try:
        listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z"], check=True,
                                 capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        print("SKIP: not a git checkout, or no git")
        return 0
    forbidden = FORBIDDEN + [re.compile(re.escape(str(root) + "/"))]
    found = []
    for name in sorted(listing.stdout.decode().split("\0")):
        path = root / name
        if not name or name.startswith(EXEMPT) or not path.is_file():
            continue
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        found += [f"{name}:{number}: {line.strip()[:100]}" for number, line in enumerate(lines, start=1)
                  if any(pattern.search(line) for pattern in forbidden)]
    print("\n".join(found) or "no path of this machine")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
