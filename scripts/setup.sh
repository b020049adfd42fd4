# What a fresh machine lacks: packages and a CUDA toolkit. Sourced by quickstart and check, after steps.sh.

toolkit_version() {  # CUDA_VERSION of the toolkit in $1, such as 13000; nothing when it is not one
  [ -x "$1/bin/nvcc" ] && [ -e "$1/include/nvrtc.h" ] || return 0
  sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$1/include/cuda.h" 2>/dev/null
}

# Sets and exports CUDAToolkit_ROOT: the caller's, else an installed CUDA 13, else the one in .cache. Fails when there is none.
find_toolkit() {
  local candidate version
  if [ -n "${CUDAToolkit_ROOT:-}" ]; then
    version=$(toolkit_version "$CUDAToolkit_ROOT")
    if [ "${version:-0}" -lt 13000 ] || [ "$version" -ge 14000 ]; then
      echo "CUDAToolkit_ROOT=$CUDAToolkit_ROOT holds no CUDA 13 toolkit with nvcc and NVRTC. Unset it to use or install another." >&2
      exit 1
    fi
    export CUDAToolkit_ROOT
    return 0
  fi
  for candidate in /usr/local/cuda "$PWD"/.cache/cuda/lib/python3*/site-packages/nvidia/cu13; do
    version=$(toolkit_version "$candidate")
    if [ "${version:-0}" -ge 13000 ] && [ "$version" -lt 14000 ]; then
      export CUDAToolkit_ROOT=$candidate
      return 0
    fi
  done
  return 1
}

# Two builds in one folder would undo each other: the second waits for the first.
take_turns() {
  mkdir -p build
  exec 9>build/.in_use
  flock --nonblock 9 && return 0
  echo "waiting: another quickstart or check runs in this checkout"
  flock 9
}

# set_up build|test|check|fuzz|bundle
set_up() {
  local missing=
  take_turns
  if [ -z "${CUDAPERF_SKIP_PACKAGES:-}" ]; then
    missing=$(scripts/install_packages.sh "$1" --list-missing) || exit 1
  fi
  if [ -n "$missing" ]; then
    # Asked for here, since the step's own output goes to a file.
    if [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null; then sudo -v; fi
    step "install packages" scripts/install_packages.sh "$1"
  fi
  if ! find_toolkit; then
    step "install CUDA toolkit" scripts/install_toolkit.sh
    find_toolkit || { echo "no CUDA toolkit after installing one in .cache/cuda" >&2; exit 1; }
  fi
}

# configure PRESET: afresh when the checkout or the toolkit moved, and not at all when nothing did: ninja configures again by
# itself when a CMake file changes.
configure() {
  local preset=$1 cache=build/$1/CMakeCache.txt
  if [ -e "build/$preset/build.ninja" ] && grep -qxF "CUDAToolkit_ROOT:PATH=$CUDAToolkit_ROOT" "$cache" &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$cache"; then
    return 0
  fi
  step "configure $preset" cmake --fresh --preset "$preset" "-DCUDAToolkit_ROOT=$CUDAToolkit_ROOT"
}

# build PRESET TARGET...: at the machine's width.
build() {
  local preset=$1
  shift
  step "build $preset" cmake --build "build/$preset" --target "$@"
}
