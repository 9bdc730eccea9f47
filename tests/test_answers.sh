#!/bin/sh
# Every solution of a lesson is done, and every stub compiles with its check. What the stubs say when
# they are checked: test_exercises.sh.
# Run: sh tests/test_answers.sh SOLUTION_PROGRAM LESSON_FOLDER COMPILER, from the root, where make has
# built. A stub without its TODO is the reader's, and left out.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
solution=$1 folder=$2 compiler=$3
"$solution" --out "$work/out" >"$work/printed" 2>&1 || fail 'not all solutions are done'
done=$(grep -c '^[0-9.]* .*\.\. done$' "$work/printed") all=$(ls "$folder"/exercises/ex*.hpp | wc -l)
[ "$done" -eq "$all" ] || fail "$done of $all solutions are done"

mkdir "$work/stubs"
for stub in "$folder"/exercises/ex*.hpp; do
  name=$(basename "$stub" .hpp)
  if grep -q TODO "$stub"; then cp "$stub" "$work/stubs"
  else sh common/frame/exercise/exercise.sh text "$folder/answers/$name.cpp" >"$work/stubs/$name.hpp"; fi
done
sh common/frame/exercise/build_exercise.sh together "$folder"/answers/ex*.cpp >"$work/together.cpp"
"$compiler" @build/flags -w -Og -D_GLIBCXX_ASSERTIONS -include build/frame.hpp -I"$work/stubs" -fsyntax-only \
  "$work/together.cpp" 2>"$work/printed" || fail 'a stub does not compile with its check'
[ $failed -eq 0 ]
