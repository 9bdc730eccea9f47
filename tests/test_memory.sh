#!/bin/sh
# A lesson takes no more memory than its README says: runs each under --quick (or whole: sh tests/test_memory.sh build whole)
# with two threads and looks at the peak; whole, also at lessons 2 and 6 with a text of 200 MB, which may take four bytes a
# symbol and what the lesson takes anyway. Wants GNU time, and says so where it is not here.
# Run: sh tests/test_memory.sh FOLDER_OF_THE_PROGRAMS [whole], from the root. 77: skipped.
# SPDX-License-Identifier: MIT
/usr/bin/time -f %M true >/dev/null 2>&1 || { echo "test_memory: skipped, GNU time is not here"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags=--quick
[ "$2" != whole ] || flags=
failed=0
compare() { # WHAT MOST: with the peak that was measured last
  peak=$(($(tail -n 1 "$work/peak") / 1024))
  if [ "$peak" -le "$2" ]; then echo "$1: $peak MB of $2"
  else echo "FAIL $1: $peak MB, and $2 are said"; failed=1; fi
}
for folder in lessons/[0-9]*_*; do
  number=$(basename "$folder"); number=${number%%_*}
  most=$(sed -n 's/.*at most \([0-9]*\) MB of memory.*/\1/p' "$folder/README.md" | head -n 1)
  [ -n "$most" ] || { echo "FAIL $folder/README.md states no peak"; failed=1; continue; }
  # shellcheck disable=SC2086
  /usr/bin/time -f %M -o "$work/peak" "$1/lesson$number" $flags --threads 2 --out "$work/out" >/dev/null 2>&1 ||
    { echo "FAIL lesson$number does not run"; failed=1; continue; }
  compare "lesson$number" "$most"
done
if [ "$2" = whole ]; then
  for _ in $(seq 64); do cat common/data/play.txt; done >"$work/some"
  : >"$work/large"
  while [ "$(wc -c <"$work/large")" -lt 200000000 ]; do cat "$work/some" >>"$work/large"; done
  size=$(wc -c <"$work/large")
  for number in 2 6; do
    for symbols in bytes words; do
      /usr/bin/time -f %M -o "$work/peak" "$1/lesson$number" --text "$work/large" --symbols $symbols --part 1 --threads 2 \
        --out "$work/out" >/dev/null 2>&1 || { echo "FAIL lesson$number with a large text"; failed=1; continue; }
      compare "lesson$number, 200 MB of text, $symbols" $((4 * size / 1048576 + 16))
    done
  done
fi
exit $failed
