#!/usr/bin/env python3
"""Fails when a binary, or anything it loads at start, is a library of CUDA or of the GPU driver.

Usage: daemon_links_no_gpu.py BINARY
"""
import re
import subprocess
import sys

GPU_LIBRARY = re.compile(r"lib(cuda|cudart|nvrtc|cupti|nvidia-|nvperf|cublas|cudnn|nvJitLink)[^/ ]*\.so")


def main():
    listing = subprocess.run(["ldd", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    needed = subprocess.run(["readelf", "-d", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    if "(NEEDED)" not in needed:
        print(f"{sys.argv[1]} names no library at all; is it the right file?")
        return 1
    found = [line.strip() for line in (listing + needed).splitlines() if GPU_LIBRARY.search(line)]
    print("\n".join(found) or f"{sys.argv[1]} loads nothing of CUDA")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
