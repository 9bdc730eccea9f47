#!/bin/sh
# Runs what `make test` has built where cmake is missing, one line a test: passed, failed, or skipped (exit status 77).
# The output of a test that failed is shown. Two tests run at a time, as under CTest. Run from the root, with the compiler:
# make test-without-cmake. Exit status 1 if any failed.
# SPDX-License-Identifier: MIT
compiler=$1
work=$(mktemp -d) || exit 1
second=
trap 'rm -rf "$work"' EXIT
trap '[ -z "$second" ] || kill "$second" 2>/dev/null; exit 1' HUP INT TERM

# Both runners go down the whole list. A test belongs to the one that makes its folder; mkdir succeeds for one of them only.
try() { # NAME COMMAND...
  number=$((number + 1))
  mkdir "$work/$number" 2>/dev/null || return 0
  name=$1 log=$work/$number/log shown=$work/$number/shown; shift
  "$@" >"$log" 2>&1 </dev/null
  case $? in
    0) result=passed ;;
    77) result=skipped name="$name: $(tail -n 1 "$log")" ;;
    *) result=failed ;;
  esac
  printf '%-7s %s\n' "$result" "$name" >"$shown"
  [ $result != failed ] || sed 's/^/        /' "$log" >>"$shown"
  cat "$shown"
  : >"$work/$number/$result"
}

rest() {
  number=1
  for source in tests/test_*.cpp; do
    name=$(basename "$source" .cpp)
    try "$name" build/tests/"$name"
  done
  try "the budget of lines" sh tests/size.sh
  try "peak of memory" sh tests/test_memory.sh build
  try "pages in a browser" sh tests/test_browser.sh build
  try "beyond one machine" sh tests/test_beyond.sh build
  for folder in lessons/[0-9]*_*; do
    n=$(basename "$folder"); n=${n%%_*}
    try "lesson$n --quick --all" build/lesson"$n" --quick --all --out build/out/quick/lesson"$n"
    try "knobs of lesson $n" sh tests/test_knobs.sh build/lesson"$n"
    try "exercises of lesson $n" sh tests/test_exercises.sh build/exercise"$n" build/solution"$n" "$folder" "$compiler"
  done
}

# Bad input takes longest, so it comes first; in the foreground, since sh has its background ignore the Ctrl-C that it tests.
rest &
second=$!
number=0
try "bad input" sh tests/test_bad_input.sh build .
rest
wait "$second"

count() { find "$work" -name "$1" | wc -l | tr -d ' '; }
passed=$(count passed) skipped=$(count skipped)
failed=$((number - passed - skipped)) # with those that came to no end
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
