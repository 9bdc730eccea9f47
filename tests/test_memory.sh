#!/bin/sh
# A lesson with two threads peaks below its README's figure; lessons 2 and 6 with a text of 200 MB
# may take four bytes a symbol more. Wants GNU time. By night: sh tests/test_memory.sh
# FOLDER_OF_THE_PROGRAMS, from the root. 77: skipped.
# SPDX-License-Identifier: MIT
/usr/bin/time -f %M true >/dev/null 2>&1 || { echo "test_memory: skipped, GNU time is not here"; exit 77; }
. "$(dirname "$0")/shell.sh"
programs=$1
peak() { # WHAT MOST LESSON FLAGS...
  what=$1 most=$2 program=$programs/lesson$3 mark=''; shift 3
  /usr/bin/time -f %M -o "$work/peak" "$program" "$@" --threads 2 --out "$work/out" >/dev/null 2>&1 &&
    [ $(($(tail -n 1 "$work/peak") / 1024)) -le "${most:-0}" ] || { mark='FAIL '; failed=1; }
  echo "$mark$what: $(($(tail -n 1 "$work/peak") / 1024)) MB of ${most:-none that its README states}"
}
for folder in lessons/[0-9]*_*; do
  number=${folder#lessons/} number=${number%%_*}
  most=$(tr '\n' ' ' <"$folder/README.md" | grep -o 'at most [0-9]* MB of memory' | head -n 1 | tr -cd 0-9)
  peak "lesson$number" "$most" "$number"
done
for _ in $(seq 2800); do cat common/data/play.txt; done | head -c 200000000 >"$work/large"
size=$(wc -c <"$work/large")
for run in 2 '6 --symbols bytes' '6 --symbols words'; do
  # shellcheck disable=SC2086  # a number and flags
  peak "lesson $run, $size bytes of text" $((4 * size / 1048576 + 16)) $run --text "$work/large" --part 1
done
exit $failed
