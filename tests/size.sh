#!/bin/sh
# Counts the words of tracked files, without pictures and the play, room by room, beside their
# budgets. Lines and files are free. A budget falls with what was won, and rises only in a commit
# that lists what came.
# Run: sh tests/size.sh, from the root of a clone. Exit status 1 if a room is over its budget.
# SPDX-License-Identifier: MIT
git rev-parse --git-dir >/dev/null 2>&1 || { echo 'size.sh: skipped, this is no clone of git'; exit 77; }
git ls-files -z -- . ':!*.svg' ':!common/data/play.txt' ':!tests/stored/printed' | LC_ALL=C xargs -0 wc -w | awk '
  function room(name, most) { names[++rooms] = name; budget[rooms] = most; number[name] = rooms }
  BEGIN {
    room("lesson 1", 22200); room("lesson 2", 22800); room("lesson 3", 22600)
    room("lesson 4", 23900); room("lesson 5", 28900); room("lesson 6", 40400)
    room("core", 7700); room("other folders of common", 77100); room("tests", 73000)
    room("root, build, CI, teachers", 13300); room("all", 331000)
  }
  $2 == "total" { next }
  {
    if ($2 ~ /^lessons\/[1-6]/) name = "lesson " substr($2, 9, 1)
    else if ($2 ~ /^common\/[^\/]*\.[ch]pp$/) name = "core"
    else if ($2 ~ /^common\//) name = "other folders of common"
    else if ($2 ~ /^tests\//) name = "tests"
    else name = "root, build, CI, teachers"
    words[number[name]] += $1
    words[number["all"]] += $1
  }
  END {
    for (k = 1; k <= rooms; ++k) {
      over += words[k] > budget[k]
      printf "%-26s %6d words of at most %6d%s\n", names[k], words[k], budget[k], (words[k] > budget[k] ? "  OVER" : "")
    }
    exit over > 0
  }'
