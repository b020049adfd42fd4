#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that are missing. Does nothing, fast, when none is.
#   scripts/install_packages.sh build|test|check|fuzz|bundle [--list-missing]
# `build` is what configuring and building needs; `test` adds what the tests call; `check` adds the fuzzers' compiler to
# that, and `fuzz` what names the lines of a crash; `bundle` is what deploy/bundle needs.
set -euo pipefail

packages=(
  build-essential ca-certificates ccache cmake ninja-build pkg-config
  libgrpc++-dev protobuf-compiler-grpc libprotobuf-dev protobuf-compiler libabsl-dev libssl-dev
  prometheus-cpp-dev libcivetweb-dev libcurl4-openssl-dev zlib1g-dev libspdlog-dev
  libseccomp-dev bubblewrap libgtest-dev libgmock-dev libbenchmark-dev
  python3 python3-venv
)
case "${1:-}" in
  build) ;;
  test) packages+=(git) ;;
  check) packages+=(git clang libclang-rt-dev) ;;
  fuzz) packages+=(git clang libclang-rt-dev llvm) ;;
  bundle) packages+=(patchelf) ;;
  *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "This system has no dpkg. Install what these Debian packages hold, then set CUDAPERF_SKIP_PACKAGES=1:" >&2
  echo "  ${packages[*]}" >&2
  exit 1
fi

installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^ii *//p') || true
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
if [ "${2:-}" = --list-missing ]; then
  echo "${missing[*]}"
  exit 0
fi
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo)
else
  echo "Packages are missing, and this is neither root nor is there sudo. As root, run:" >&2
  echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
echo "installing: ${missing[*]}"
"${apt[@]}" update
"${apt[@]}" install --no-install-recommends "${missing[@]}"
