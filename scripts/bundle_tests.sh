#!/usr/bin/env bash
# Runs the device-labelled tests of a bundle on this machine's GPU, one program after the other: ./check --device.
#   scripts/bundle_tests.sh [NAME...]      these programs of the bundle's tests/ instead
# Environment: CUDAPERF_BUNDLE (an archive made by deploy/bundle --with-tests; default: the newest in build/bundle/),
# CUDAToolkit_ROOT (default /usr/local/cuda). Output of each program: build/bundle/log/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

refuse() {
  echo "check --device: $*" >&2
  exit 1
}

compgen -G '/dev/nvidia[0-9]*' >/dev/null || refuse "no GPU here (no /dev/nvidia*): nothing was tested"
export CUDAToolkit_ROOT=${CUDAToolkit_ROOT:-/usr/local/cuda}
[ -e "$CUDAToolkit_ROOT/include/cuda.h" ] || refuse "no CUDA toolkit in $CUDAToolkit_ROOT: set CUDAToolkit_ROOT"
bundle=${CUDAPERF_BUNDLE:-$(ls -t build/bundle/*.tar.* 2>/dev/null | head -n 1)}
[ -n "$bundle" ] || refuse "no bundle in build/bundle: make one with deploy/bundle --with-tests, or set CUDAPERF_BUNDLE"

umask 022
unpacked=build/bundle/unpacked log_directory=build/bundle/log
rm -rf "$unpacked" "$log_directory"
mkdir -p "$unpacked" "$log_directory"
tar -xf "$bundle" --strip-components=1 -C "$unpacked"
export CUDAPERF_BINARY_DIR=$PWD/$unpacked CUDAPERF_SOURCE_DIR=$PWD/$unpacked/share
if [ $# -gt 0 ]; then
  tests=$(printf '%s 600\n' "$@")
else
  tests=$(cat "$unpacked/share/device_tests" 2>/dev/null) || true
fi
[ -n "$tests" ] || refuse "$bundle holds no device tests: make it with deploy/bundle --with-tests"

# count REPORT ATTRIBUTE: its sum over the test suites; 0 without a report.
count() {
  { grep '<testsuite ' "$1" 2>/dev/null || true; } | sed -n "s/.* $2=\"\([0-9]*\)\".*/\1/p" |
    awk '{sum += $1} END{print sum + 0}'
}

all_passed=0 all_failed=0
printf '%-32s %7s %7s %8s %7s\n' program passed failed skipped seconds
while read -r name seconds; do
  log=$log_directory/$name report=$log_directory/$name.xml status=0 started=$SECONDS
  printf '%-32s ' "$name"
  timeout --kill-after=10 "$seconds" "$unpacked/tests/$name" "--gtest_output=xml:$PWD/$report" >"$log" 2>&1 </dev/null ||
    status=$?
  failed=$(count "$report" failures) skipped=$(count "$report" skipped)
  passed=$(($(count "$report" tests) - failed - skipped - $(count "$report" disabled)))
  # It died, or ran out of time, before it could report.
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  printf '%7d %7d %8d %7d\n' "$passed" "$failed" "$skipped" $((SECONDS - started))
  awk '/: Skipped$/{getline reason; seen[reason]++} END{for (reason in seen) print "    skipped: " reason}' "$log"
  if [ "$failed" -gt 0 ]; then
    echo "    status $status; the end of $log:"
    tail -n 40 "$log" | sed 's/^/    /'
  fi
  all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed))
done <<<"$tests"
echo "$all_passed passed, $all_failed failed"
[ "$all_failed" -eq 0 ] && [ "$all_passed" -gt 0 ]
