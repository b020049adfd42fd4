#!/usr/bin/env bash
# Makes a CUDA 13.0 toolkit in .cache/cuda from NVIDIA's Python wheels, for machines without one. About 560 MB.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=.cache/cuda
rm -rf "$target" "$target.partial"
mkdir -p .cache
python3 -m venv "$target.partial"
"$target.partial/bin/pip" install --no-input --no-cache-dir --disable-pip-version-check --only-binary :all: \
  'cuda-toolkit[nvcc,cudart,nvrtc,cupti,crt,nvvm,cccl,nvml,profiler]==13.0.*'

root=$(echo "$target.partial"/lib/python3*/site-packages/nvidia/cu13)
[ -x "$root/bin/nvcc" ] || { echo "the wheels hold no nvcc in $root" >&2; exit 1; }
# What a wheel lacks to be a toolkit: the folder's usual name, and the names that linkers ask for.
[ -e "$root/lib64" ] || ln -s lib "$root/lib64"
for library in "$root"/lib/lib*.so.*; do
  name=$(basename "$library")
  [ -e "$root/lib/${name%%.so.*}.so" ] || ln -s "$name" "$root/lib/${name%%.so.*}.so"
done
mv "$target.partial" "$target"
