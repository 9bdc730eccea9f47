#!/bin/sh
# Runs parts of a lesson at full length; every claim must hold.
# Run: sh tests/test_parts.sh build/lesson1 PARTS..., from the root.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
program=$1
shift
for part in "$@"; do
  "$program" --part "$part" --out "$work/out" >"$work/printed" 2>&1 || { grep -F '[FAIL]' "$work/printed"; fail "part $part"; }
done
[ $failed -eq 0 ]
