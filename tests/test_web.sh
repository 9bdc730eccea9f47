#!/bin/sh
# Proves `make web`: under node each lesson holds as many claims as natively, each loads what the
# other saves, and the pages pass tests/browser.mjs. 77: node or the browser is absent.
# Run: sh tests/test_web.sh [LESSONS], from the root, behind make web. All lessons take ten minutes
# on two cores.
# SPDX-License-Identifier: MIT
command -v node >/dev/null || { echo 'web: skipped, node is not here'; exit 77; }
. "$(dirname "$0")/shell.sh"
run() { # LESSON WHAT COMMAND...: what it printed lies in $work/printed
  n=$1 what=$2; shift 2
  "$@" >"$work/printed" 2>&1 || fail "lesson $n, $what: $(tail -n 1 "$work/printed")"
}

awk 'BEGIN { for (x = 0; x < 6; x += .1) print x "," x * x / 9 "," 1 - x / 3 }' >"$work/rows.csv"
lessons=${*:-1 2 3 4 5 6}
for n in $lessons; do
  native="build/lesson$n --out $work/out$n" wasm="node tests/wasm.mjs build/wasm/lesson$n.js"
  # shellcheck disable=SC2086  # words
  {
    run "$n" natively $native; at_home=$(grep 'claims hold' "$work/printed" | tail -n 1)
    run "$n" 'under node' $wasm; there=$(grep 'claims hold' "$work/printed" | tail -n 1)
    [ "$at_home" = "$there" ] || fail "lesson $n: other claims under node: $there"
    build/lesson"$n" --help | grep -q -- --save || continue
    quick=--quick
    [ "$n" != 3 ] || quick="--quick --data $work/rows.csv"  # what it stores is learned from one's own rows
    run "$n" --save $native $quick --steps 5 --save "$work/from_native"
    run "$n" '--save under node' $wasm $quick --steps 5 --save "$work/from_wasm"
    run "$n" 'what was saved under node' $native $quick --load "$work/from_wasm"
    run "$n" 'what was saved natively' $wasm $quick --load "$work/from_native"
  }
done

# shellcheck disable=SC2086  # numbers
node tests/browser.mjs build/web $lessons
browser=$?
[ $failed -eq 0 ] || exit 1
exit $browser
