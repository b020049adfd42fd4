# Steps that say what they do and how long it took. Sourced by quickstart and check, from the root of the checkout.
step_log_directory=build/log

step_seconds_since() {  # seconds with one decimal since $1, a value of EPOCHREALTIME
  local micros=$((${EPOCHREALTIME/./} - ${1/./}))
  printf '%d.%d' $((micros / 1000000)) $((micros % 1000000 / 100000))
}

# While a step runs: its last line on a terminal, a line every 20 s elsewhere.
step_ticker() {
  local name=$1 log=$2 started=$SECONDS line
  if [ -t 1 ]; then
    while sleep 0.5; do
      line=$(tail -n 1 "$log" 2>/dev/null | tr -d '\000-\037' | cut -c -60) || true
      printf '\r\033[K%-28s %5d s  %s' "$name" $((SECONDS - started)) "$line"
    done
  else
    while sleep 20; do
      line=$(tail -n 1 "$log" 2>/dev/null | tr -d '\000-\037' | cut -c -90) || true
      printf '  %s: %d s so far: %s\n' "$name" $((SECONDS - started)) "$line"
    done
  fi
}

# try_step NAME COMMAND...: runs COMMAND with its output in build/log/NAME.log and prints one line. Returns its status; after
# a failure the end of the log has been shown.
try_step() {
  local name=$1 log ticker status=0 started=$EPOCHREALTIME
  shift
  mkdir -p "$step_log_directory"
  log=$step_log_directory/${name//[^A-Za-z0-9]/-}.log
  : >"$log"
  step_ticker "$name" "$log" &
  ticker=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  [ ! -t 1 ] || printf '\r\033[K'
  if [ "$status" -eq 0 ]; then
    printf '%-28s %7s s\n' "$name" "$(step_seconds_since "$started")"
  else
    printf '%-28s %7s s  failed; the end of %s:\n' "$name" "$(step_seconds_since "$started")" "$log" >&2
    tail -n 40 "$log" | sed 's/^/    /' >&2
  fi
  return "$status"
}

# step NAME COMMAND...: as try_step; a failure ends the script.
step() {
  try_step "$@" || exit 1
}
