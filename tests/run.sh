#!/bin/sh
# Runs the tests that `make test` has built, two at a time; `make test only=WORD` picks by name.
# Prints passed, failed (with the output), or skipped (exit status 77), and seconds. Exit status 1
# if any failed or none ran. From the root: make test.
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

# The longest come first; one runs the lessons under --quick --all, too.
list() {
  echo "bad input: sh tests/test_bad_input.sh build ."
  echo "a reader's make: sh tests/test_make.sh $1"
  for folder in lessons/[0-9]*_*; do
    n=${folder#lessons/} n=${n%%_*}
    echo "exercises of lesson $n: sh tests/test_exercises.sh build/exercise$n build/solution$n $folder $1"
    echo "knobs of lesson $n: sh tests/test_knobs.sh build/lesson$n"
    case $n in # quick at full length, where training is claimed
      1) parts='0 1 2 3 4 6' ;; 2) parts='1 2 3 4 5 8' ;; 3) parts='0 1 2 3' ;; 4) parts='1 2 3 4 5 6 7 8 9' ;;
      5) parts='1 2 3 4 5 7 10 11 12 13' ;; 6) parts='1 2 4 9' ;;
    esac
    run="build/lesson$n --part \$k --out build/out/part/lesson$n"
    echo "lesson $n, whole parts: for k in $parts; do $run || exit; done"
  done
  for source in tests/test_*.cpp; do
    name=$(basename "$source" .cpp)
    echo "$name: build/tests/$name"
  done
  echo "formulas of the READMEs: sh tests/test_equations.sh build"
  echo "nothing decided by what judges: sh tests/test_leak.sh build"
  echo "pages in a browser: sh tests/test_browser.sh build"
  echo "what lesson 1 exports: python3 tests/test_exports.py build"
  echo "Python of the READMEs: python3 tests/test_snippets.py build"
  echo "tables of the READMEs: python3 tests/test_tables.py build"
  echo "PyTorch and back: python3 tests/test_beyond.py build"
  echo "the order of layers: python3 tests/layers.py"
  echo "forms that tighten: python3 tests/forms.py"
  echo "slips of prose: python3 tests/prose.py"
  echo "the budget of words: sh tests/size.sh"
}
list "$1" | grep "^[^:]*$2.*: " >build/tests/list || { echo "There is no test whose name holds '$2'." >&2; exit 2; }
<build/tests/list tr '\n' '\0' | xargs -0 -n 1 -P 2 sh "$0" one | tee build/tests/said
awk '
  { ++of[$1] }
  END {
    printf "%d passed, %d failed, %d skipped\n", of["passed"], of["failed"], of["skipped"]
    exit of["failed"] > 0 || !of["passed"]
  }' build/tests/said
