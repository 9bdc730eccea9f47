#!/bin/sh
# Runs what `make test` has built where cmake is missing, one line a test: passed, failed, or skipped (exit status 77).
# The output of a test that failed is shown. Run from the root: make test-without-cmake. Exit status 1 if any failed.
# SPDX-License-Identifier: MIT

passed=0 failed=0 skipped=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM

result() { printf '%-7s %s\n' "$1" "$2"; }
try() { # NAME COMMAND...
  name=$1; shift
  "$@" >"$log" 2>&1 </dev/null
  case $? in
    0) passed=$((passed + 1)); result passed "$name" ;;
    77) skipped=$((skipped + 1)); result skipped "$name: $(tail -n 1 "$log")" ;;
    *) failed=$((failed + 1)); result failed "$name"; sed 's/^/        /' "$log" ;;
  esac
}

for source in tests/test_*.cpp; do
  name=$(basename "$source" .cpp)
  if [ "$name" = test_docs ]; then try "$name" build/tests/"$name" .
  else try "$name" build/tests/"$name"; fi
done
for folder in lessons/[0-9]*_*; do
  number=$(basename "$folder"); number=${number%%_*}
  try "lesson$number --quick" build/lesson"$number" --quick --out build/out/quick/lesson"$number"
  [ ! -f "$folder/exercises/check.cpp" ] ||
    try "exercises of lesson $number" sh tests/test_exercises.sh build/exercise"$number" build/solution"$number" "$folder"
done
try "bad input" sh tests/test_bad_input.sh build .

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
