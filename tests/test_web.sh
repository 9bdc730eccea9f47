#!/bin/sh
# Proves what `make web` made, as one more platform: under node each lesson runs at full length and all its claims hold, in at
# most four times the time of one native thread; its exported gradients are the native ones to 1e-12; what one saves the other
# loads; and in a browser the pages do what tests/web.mjs asks of them. Exits with 77 where node is absent.
# Run: sh tests/test_web.sh, from the root, behind make web.
# SPDX-License-Identifier: MIT
command -v node >/dev/null || { echo 'web: skipped, node is not here'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
fail() { failed=$((failed + 1)); echo "FAIL $*"; }

# Runs a command and says how many seconds of a processor it took; what it printed lies in $work/NAME.
seconds() { # NAME COMMAND...
  printed=$work/$1; shift
  ("$@" >"$printed" 2>&1 || { tail -n 5 "$printed" >&2; exit 1; }; times >"$work/times") &&
    awk 'NR == 2 { split($1, time, /[ms]/); print 60 * time[1] + time[2] }' "$work/times"
}

for program in build/wasm/lesson[0-9].js; do
  n=$(basename "$program" .js); n=${n#lesson}
  native=$(seconds "native$n" build/lesson"$n" --threads 1 --out "$work/out") || fail "lesson $n"
  wasm=$(seconds "wasm$n" node tests/wasm.mjs "$program") || fail "lesson $n under node: $wasm"
  claims=$(grep 'claims hold' "$work/wasm$n" | tail -n 1)
  [ "$claims" = "$(grep 'claims hold' "$work/native$n" | tail -n 1)" ] || fail "lesson $n: other claims under node: $claims"
  awk -v n="$n" -v a="$native" -v b="$wasm" -v claims="$claims" 'BEGIN {
    printf "lesson %s under node: %s %.1f s of a processor, %.1f natively with one thread: %.2f times\n", n, claims, b, a, b / a
    exit b > 4 * a }' || fail "lesson $n takes more than four times as long"

  build/lesson"$n" --export "$work/native.st" >"$work/said" || fail "lesson $n --export"
  node tests/wasm.mjs "$program" --export "$work/wasm.st" >"$work/said" || fail "lesson $n --export under node"
  node tests/same_tensors.mjs "$work/native.st" "$work/wasm.st" 1e-12 || fail "lesson $n exports other numbers under node"

  build/lesson"$n" --help | grep -q -- --save || continue
  build/lesson"$n" --quick --part 6 --steps 2 --save "$work/from_native.st" --out "$work/out" >"$work/said" || fail "lesson $n --save"
  node tests/wasm.mjs "$program" --quick --part 6 --steps 2 --save "$work/from_wasm.st" >"$work/said" || fail "lesson $n --save under node"
  build/lesson"$n" --quick --part 9 --load "$work/from_wasm.st" --out "$work/out" >"$work/said" 2>&1 ||
    build/lesson"$n" --quick --part 7 --load "$work/from_wasm.st" --out "$work/out" >"$work/said" 2>&1 ||
    fail "lesson $n does not load what was saved under node: $(tail -n 1 "$work/said")"
  node tests/wasm.mjs "$program" --quick --part 9 --load "$work/from_native.st" >"$work/said" 2>&1 ||
    node tests/wasm.mjs "$program" --quick --part 7 --load "$work/from_native.st" >"$work/said" 2>&1 ||
    fail "lesson $n under node does not load what was saved natively: $(tail -n 1 "$work/said")"
done

node tests/web.mjs build/web
case $? in
  0) ;;
  77) echo 'the pages were not tried in a browser' ;;
  *) failed=$((failed + 1)) ;;
esac
[ "$failed" -eq 0 ]
