#!/bin/sh
# Executes a README's formulas: all equal what the program holds, the others are spoken of, and at
# least 85 of 100 run.
# Run: sh tests/test_equations.sh BUILD LESSON, from the root.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
"$1/lesson$2" --equations >"$work/printed" || fail 'not all hold'
awk '/ of [0-9]+ lines of formulas run/ { ran = $1; all = $3 } END { exit all < 10 || ran < .85 * all }' "$work/printed" ||
  fail "fewer than 85 in 100 formulas run"
[ $failed -eq 0 ]
