#!/bin/sh
# A lesson takes no more memory than its README says: runs each under --quick (or whole: sh tests/test_memory.sh build whole)
# with two threads and looks at the peak. Wants GNU time, and says so where it is not here.
# Run: sh tests/test_memory.sh FOLDER_OF_THE_PROGRAMS [whole], from the root. 77: skipped.
# SPDX-License-Identifier: MIT
/usr/bin/time -f %M true >/dev/null 2>&1 || { echo "test_memory: skipped, GNU time is not here"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags=--quick
[ "$2" != whole ] || flags=
failed=0
for folder in lessons/[0-9]*_*; do
  number=$(basename "$folder"); number=${number%%_*}
  most=$(sed -n 's/.*at most \([0-9]*\) MB of memory.*/\1/p' "$folder/README.md" | head -n 1)
  [ -n "$most" ] || { echo "FAIL $folder/README.md states no peak"; failed=1; continue; }
  # shellcheck disable=SC2086
  /usr/bin/time -f %M -o "$work/peak" "$1/lesson$number" $flags --threads 2 --out "$work/out" >/dev/null 2>&1 ||
    { echo "FAIL lesson$number does not run"; failed=1; continue; }
  peak=$(($(tail -n 1 "$work/peak") / 1024))
  if [ "$peak" -le "$most" ]; then echo "lesson$number: $peak MB of $most"
  else echo "FAIL lesson$number: $peak MB, and its README says $most"; failed=1; fi
done
exit $failed
