#!/bin/sh
# How large the course is: lines of tracked files without pictures and data, room by room, beside what they may have. What a
# room may have is lowered with what was won, and raised only in a commit that says why.
# Run: sh tests/size.sh, from the root of a clone. Exit status 1 where a room is over its budget.
# SPDX-License-Identifier: MIT
git rev-parse --git-dir >/dev/null 2>&1 || { echo 'size.sh: skipped, this is no clone of git'; exit 77; }
git ls-files -z -- . ':!*.svg' ':!common/data' | xargs -0 wc -l | awk '
  function is(number, name, most) { room[number] = name; budget[number] = most }
  BEGIN {
    is(1, "lesson 1", 2575); is(2, "lesson 2", 2770); is(3, "lesson 3", 2870)
    is(4, "lesson 4", 2765); is(5, "lesson 5", 3270); is(6, "lesson 6", 4825)
    is(7, "common, what one reads", 1100); is(8, "formula, support, page, plot", 9886)
    is(9, "tests", 6500); is(10, "TEACHERS, root, build, CI", 955)
    is(11, "all", 37500); is(12, "C++ files", 235)
  }
  $2 == "total" { next }
  {
    if ($2 ~ /^lessons\/[1-6]/) lines[substr($2, 9, 1) + 0] += $1
    else if ($2 ~ /^common\/[^\/]*$/) lines[7] += $1
    else if ($2 ~ /^common\//) lines[8] += $1
    else if ($2 ~ /^tests\//) lines[9] += $1
    else lines[10] += $1
    lines[11] += $1
    lines[12] += ($2 ~ /\.[ch]pp$/)
  }
  END {
    for (k = 1; k <= 12; ++k) {
      printf "%-26s %6d of at most %6d%s\n", room[k], lines[k], budget[k], (lines[k] > budget[k] ? "  OVER" : "")
      over += (lines[k] > budget[k])
    }
    exit over > 0
  }'
