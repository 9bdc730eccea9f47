#!/bin/sh
# Proves what `make web` made, as one more platform: under node each lesson runs at full length and all its claims hold, in at
# most four times the time of one native thread; its exported gradients are the native ones to 1e-12; what one saves the other
# loads; and in a browser the pages do what tests/web.mjs asks of them. Exits with 77 where node is absent, or where all of
# this passed and no browser was there for the pages.
# Run: sh tests/test_web.sh [LESSONS], from the root, behind make web. Without numbers all lessons are tried, which takes
# ten minutes on two cores.
# SPDX-License-Identifier: MIT
command -v node >/dev/null || { echo 'web: skipped, node is not here'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# Runs a command and says how many seconds of a processor it took; what it printed lies in $work/NAME.
seconds() { # NAME COMMAND...
  printed=$work/$1; shift
  ("$@" >"$printed" 2>&1 || { tail -n 5 "$printed" >&2; exit 1; }; times >"$printed.times") &&
    awk 'NR == 2 { split($1, time, /[ms]/); print 60 * time[1] + time[2] }' "$printed.times"
}

# The programs of a lesson. Prints a line that begins with FAIL for each thing that is wrong.
try() { # N
  n=$1 native=build/lesson$1 wasm="node tests/wasm.mjs build/wasm/lesson$1.js"
  printed=$work/said$n
  at_home=$(seconds "native$n" "$native" --threads 1 --out "$work/out$n") || echo "FAIL lesson $n"
  # shellcheck disable=SC2086  # words
  there=$(seconds "wasm$n" $wasm) || echo "FAIL lesson $n under node: $there"
  # What disturbs a run makes it longer only, so where it seems too long the shorter of two counts.
  if awk -v a="$at_home" -v b="$there" 'BEGIN { exit b <= 4 * a }'; then
    # shellcheck disable=SC2086
    again=$(seconds "wasm$n" $wasm)
    there=$(printf '%s\n%s\n' "$there" "$again" | sort -n | head -n 1)
  fi
  claims=$(grep 'claims hold' "$work/wasm$n" | tail -n 1)
  [ "$claims" = "$(grep 'claims hold' "$work/native$n" | tail -n 1)" ] || echo "FAIL lesson $n: other claims under node: $claims"
  awk -v n="$n" -v a="$at_home" -v b="$there" -v claims="$claims" 'BEGIN {
    printf "lesson %s under node: %s %.1f s of a processor, %.1f natively with one thread: %.2f times\n", n, claims, b, a, b / a
    exit b > 4 * a }' || echo "FAIL lesson $n takes more than four times as long"

  "$native" --export "$work/native$n.st" >"$printed" || echo "FAIL lesson $n --export"
  $wasm --export "$work/wasm$n.st" >"$printed" || echo "FAIL lesson $n --export under node"
  node tests/same_tensors.mjs "$work/native$n.st" "$work/wasm$n.st" 1e-12 || echo "FAIL lesson $n exports other numbers"

  "$native" --help | grep -q -- --save || return
  # A part that trains and one that takes a stored model.
  case $n in 2) part=7 loads=8 ;; 3) part=9 loads=9 ;; 5) part=6 loads=7 ;; *) part=6 loads=8 ;; esac
  "$native" --quick --part $part --steps 5 --save "$work/from_native$n" --out "$work/out$n" >"$printed" 2>&1 || echo "FAIL lesson $n --save"
  $wasm --quick --part $part --steps 5 --save "$work/from_wasm$n" >"$printed" 2>&1 || echo "FAIL lesson $n --save under node"
  "$native" --quick --part $loads --load "$work/from_wasm$n" --out "$work/out$n" >"$printed" 2>&1 ||
    echo "FAIL lesson $n does not load what was saved under node: $(tail -n 1 "$printed")"
  $wasm --quick --part $loads --load "$work/from_native$n" >"$printed" 2>&1 ||
    echo "FAIL lesson $n under node does not load what was saved natively: $(tail -n 1 "$printed")"
}

lessons=${*:-6 1 2 4 3 5}
first='' second=''
for n in $lessons; do # two at a time
  if [ ${#first} -le ${#second} ]; then first="$first $n"; else second="$second $n"; fi
done
for n in $first; do try "$n"; done >"$work/half1" 2>&1 &
for n in $second; do try "$n"; done >"$work/half2" 2>&1 &
wait
cat "$work"/half*
failed=$(cat "$work"/half* | grep -c '^FAIL')

# shellcheck disable=SC2086  # numbers
node tests/web.mjs build/web $lessons
case $? in
  0) browser=here ;;
  77) browser=absent ;;
  *) browser=here failed=$((failed + 1)) ;;
esac
[ "$failed" -eq 0 ] || exit 1
[ $browser = here ] || { echo 'web: the programs passed, the pages are skipped'; exit 77; }
