#!/bin/sh
# Runs tests that make has built, two at a time: of `test` those that show that the course works
# here, of `check` all else that a change must pass, of a word all whose name holds it.
# Prints passed, failed (with the output), or skipped (exit status 77), and seconds. Exit status 1
# if any failed or none ran. From the root: sh tests/run.sh [needs] COMPILER test|check [WORD].
# Each test makes what it reads, in a folder of its own; SHUFFLE=1 runs them in any order.
# SPDX-License-Identifier: MIT
if [ "$1" = one ]; then # NAME: COMMAND, on behalf of the call below
  name=${2%%: *} log=$(mktemp) start=$(date +%s)
  sh -c "${2#*: }" >"$log" 2>&1 </dev/null
  case $? in
    0) result=passed ;;
    77) result=skipped name="$name: $(tail -n 1 "$log")" ;;
    *) result=failed ;;
  esac
  printf '%-7s %4d s  %s\n' $result $(($(date +%s) - start)) "$name"
  [ $result != failed ] || sed 's/^/        /' "$log"
  rm -f "$log"
  exit 0
fi
needs=
[ "$1" != needs ] || { needs=yes; shift; } # prints the programs of these tests instead
compiler=$1 what=$2 word=${3:-}
of_lesson() { echo lessons/"$1"_*; }
in_folder() { for file in tests/"$1"/*.cpp; do name=$(basename "$file" .cpp); echo "$name: build/tests/test_$1 $name"; done; }

# The longest come first.
tests() {
  for n in 2 6 3 1 5 4; do
    echo "answers of lesson$n: sh tests/test_answers.sh build/solution$n $(of_lesson $n) $compiler"
  done
  echo "hostile input in short: COURSE_SHORT=1 sh tests/test_bad_input.sh build ."
  in_folder derivations | grep formula:
  in_folder core
  for name in parallel lesson6 lesson5 lesson4 lesson3 lesson2 lesson1; do
    echo "$name: build/tests/test_$name"
  done
  for n in 1 2 3 4 5 6; do echo "equations of lesson$n: sh tests/test_equations.sh build $n"; done
}
checks() {
  echo "pages in a browser: sh tests/test_browser.sh build"
  echo "grading: sh tests/test_grading.sh $compiler build/exercise1"
  echo "a reader's make: sh tests/test_make.sh $compiler build/exercise1 build/lesson1"
  echo "hostile input: sh tests/test_bad_input.sh build ."
  echo "nothing decided by what judges: sh tests/test_leak.sh build"
  for n in 6 2 3 1 5 4; do
    echo "tables and pictures of lesson$n: python3 tests/test_tables.py build $n"
    echo "knobs of lesson$n: sh tests/test_knobs.sh build/lesson$n"
    case $n in # quick at full length, where training is claimed
      1) parts='0 1 2 3 4 6' ;; 2) parts='1 2 3 4 5 8' ;; 3) parts='0 1 2 3' ;; 4) parts='1 2 3 4 5 6 7 8 9' ;;
      5) parts='1 2 3 4 5 7 10 11 12 13' ;; 6) parts='1 2 4 9' ;;
    esac
    echo "exercises of lesson$n: sh tests/test_exercises.sh build/exercise$n build/solution$n $(of_lesson $n)"
    echo "whole parts of lesson$n: sh tests/test_parts.sh build/lesson$n $parts"
  done
  echo "pages of valid HTML: sh tests/test_valid_html.sh build build/exercise1 build/exercise2 build/exercise3 build/exercise4 build/exercise5 build/exercise6"
  echo "one file beside its lesson: build/tests/test_lesson2_lesson6_whole"
  in_folder derivations | grep -v formula:
  in_folder pages
  echo "the frame of a lesson: build/tests/test_lesson"
  echo "misprints: sh tests/test_misprints.sh build/lesson4"
  echo "docs: build/tests/test_docs"
  echo "what SOURCES.md says: python3 tests/test_sources.py"
  echo "what the lessons export: python3 tests/test_exports.py build"
  echo "Python of the READMEs: python3 tests/test_snippets.py build"
  echo "PyTorch and back: python3 tests/test_beyond.py build"
  echo "the order of layers: python3 tests/layers.py"
}
list=$(mktemp) said=$(mktemp)
trap 'rm -f "$list" "$said"' EXIT
case $what in
test) [ -n "$word" ] && { tests; checks; } || tests ;;
*) checks ;;
esac | grep "^[^:]*$word.*: " >"$list" || { echo "There is no test whose name holds '$word'." >&2; exit 2; }
if [ -n "$needs" ]; then # where a whole folder is named, the lessons
  sed 's/^[^:]*: //; s, build \([1-6]\)$, build/lesson\1,; s, build , build/lesson1 build/lesson2 build/lesson3 build/lesson4 build/lesson5 build/lesson6 ,
    s, build$, build/lesson1 build/lesson2 build/lesson3 build/lesson4 build/lesson5 build/lesson6,' "$list" |
    tr ' ' '\n' | grep '^build/[a-z]' | sort -u
  exit
fi
if [ -n "${SHUFFLE:-}" ]; then shuf "$list" >"$said" && cp "$said" "$list"; fi
<"$list" tr '\n' '\0' | xargs -0 -n 1 -P 2 sh "$0" one | tee "$said"
awk '
  { ++of[$1] }
  END {
    printf "%d passed, %d failed, %d skipped\n", of["passed"], of["failed"], of["skipped"]
    exit of["failed"] > 0 || !of["passed"]
  }' "$said"
