#!/bin/sh
# What grades passes right answers and no others: `make grade1`, and a class of pupils whose programs print, crash, do not
# end, or end all. Run: sh tests/test_grading.sh COMPILER build/exercise1 [all], from the root, where make has built lesson 1's
# exercises. Pupils whose programs wait for a limit of time or memory are in the class only with `all`, by night.
# SPDX-License-Identifier: MIT
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL WARNINGS OPTIMIZE
export CXX="$1"
. "$(dirname "$0")/shell.sh"
enter_copy .devcontainer
stubs=lessons/1_math_refresh/exercises
one() { echo $stubs/ex1_"$1"_*.hpp; }
solved() { # FOLDER [NUMBER]: writes our solutions
  for answer in lessons/1_math_refresh/answers/ex1_"${2:-}"*.cpp; do
    sh common/frame/exercise/exercise.sh text "$answer" >"$1/$(basename "$answer" .cpp).hpp"
  done
}
# Puts a line of a program's beginning into a file.
begins() { sed -i "s,^#pragma once,&\n#include <cstdlib>\n#include <unistd.h>\n$2," "$1"; } # FILE LINE
cp -r $stubs "$work/given"
mkdir "$work/solved" && solved "$work/solved"

graded() { # WHAT FINE NUMBER: what make grade$3 says as JSON, which is all that it prints, with the status 0 if fine
  make "grade$3" ARGS=--json >"$work/printed" 2>"$work/errors"
  status=$?
  [ "$2" = fine ] && [ $status -ne 0 ] && fail "$1: exit status $status"
  [ "$2" = fine ] || [ $status -ne 0 ] || fail "$1: exit status 0"
  grep -v '^{"id": "1\.[5-9]", "done": [a-z]*, "message": ".*"}$' "$work/printed" | grep -q . && fail "$1: not all is JSON"
}
verdict() { # WHAT NUMBER DONE WORDS
  grep -q "^{\"id\": \"$2\", \"done\": $3, \"message\": \"$4" "$work/printed" || fail "$1: of $2 is not said: $3, $4"
}

graded 'as given' open 1
[ "$(grep -c '"done": false, "message": "not started"' "$work/printed")" -eq 5 ] || fail 'as given: not five that are not started'
make exercise1.5 >"$work/printed" 2>&1 || fail 'make exercise1.5 is no longer friendly'
cp "$work/solved"/* $stubs
graded 'all are right' fine 1
[ "$(grep -c '"done": true, "message": ""' "$work/printed")" -eq 5 ] || fail 'all are right: not five are done'
make grade1 >"$work/printed" 2>&1 || fail 'all are right, in words: exit status'
grep -q '^1.5 .*\. done$' "$work/printed" || fail 'in words: no report'

sed -i 's/^namespace ex1_5 {/&\nint nonsense/' "$(one 5)"
sed -i 's/^  return/  std::puts("{"); return/; s/^#include <cmath>/&\n#include <cstdio>/' "$(one 8)" "$(one 9)"
begins "$(one 9)" '#include <cstdio>'
graded 'one does not compile' open 1
verdict 'one does not compile' 1.5 false "it does not compile.*ex1_5_leaky_gain.hpp:[0-9]*: expected"
[ "$(grep -c '"done": true' "$work/printed")" -eq 4 ] || fail 'one does not compile, one prints: the others are not right'
python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$work/printed" 2>"$work/errors" || fail 'this is no JSON'
build/exercise1 --json >"$work/printed"
python3 - "$work/printed" 2>"$work/errors" <<'END' || fail 'the JSON of make progress is not what TEACHERS.md says'
import json, re, sys
said, = open(sys.argv[1])
shown = json.loads(re.search("```json\n(.*)\n", open("lessons/TEACHERS.md").read())[1])
said = json.loads(said)
assert said.keys() == shown.keys() and said["lesson"] == 1
assert said["exercises"] == {"1.5": "wrong", "1.6": "done", "1.7": "done", "1.8": "done", "1.9": "done"}
assert said["derivations"] == [0, shown["derivations"][1]]
END
graded 'one alone' fine 1.6
graded 'the wrong one alone' open 1.5

# A program that ends before it has checked, or whose status is not that of its checks.
for line in 'inline int gone = (std::exit(0)\, 1);' 'struct Last { ~Last() { _exit(0); } }; inline Last last;'; do
  cp "$work/given"/* $stubs && begins "$(one 5)" "$line"
  graded "$line" open 1
  graded "$line" open 1.6
done
cp "$work/given"/* $stubs

# A class. What a pupil starts outside of the check is gone when the table is there.
class="$work/the class"
pupil() { mkdir -p "$class/$1" && echo "$class/$1"; }
changed() { sed "s/^  return 0;/  $2/" "$(one 5)" >"$(pupil "$1")/ex1_5_leaky_gain.hpp"; } # NAME STATEMENT
solved "$(pupil "Ann O'Neil, jr.")"
solved "$(pupil 'deep down')" 6 && mkdir "$class/deep down/in its folder" &&
  mv "$class/deep down"/*.hpp "$class/deep down/in its folder/ex1_6_way (1).hpp"
pupil nothing >/dev/null
changed wrong 'return 3 \/ (1 + a * a);'
changed crashes 'return *static_cast<volatile double*>(nullptr);'
changed forks 'while (fork() >= 0) ; return 0;' && begins "$class/forks"/* ''
changed nonsense 'nonsense;'
solved "$(pupil ends)" && begins "$class/ends/ex1_5_leaky_gain.hpp" 'inline int gone = (std::exit(0)\, 1);'
changed leaves 'return 0;' &&
  begins "$class/leaves"/* "inline int left = std::system(\"cd \/; sleep 300 \& echo \$! >'$work\/left'\");"
changed reads 'double typed = 5; std::cin >> typed; return typed;' && sed -i 's/^#include <cmath>/&\n#include <iostream>/' "$class/reads"/*
changed talks 'for (int k = 0; k < 1000000; ++k) std::puts("a line, and another"); return 0;' &&
  sed -i 's/^#include <cmath>/&\n#include <cstdio>/' "$class/talks"/*
solved "$(pupil marked)" 5 && sed -i '1s/^/\xef\xbb\xbf/' "$class/marked"/*
mkdir "$work/elsewhere" && solved "$work/elsewhere" 5 && ln -s "$work/elsewhere" "$class/linked folder"
ln -s "$class/marked/ex1_5_leaky_gain.hpp" "$(pupil 'linked file')/ex1_5_leaky_gain.hpp"
solved "$(pupil deletes)" && begins "$class/deletes/ex1_5_leaky_gain.hpp" '' &&
  sed -i 's,^  return gain,  if (std::system("rm -rf lessons build ../*") != 0) return 0;\n&,' "$class/deletes/ex1_5_leaky_gain.hpp"
if [ "${3:-}" = all ]; then
  changed endless 'for (volatile int i = 0;; ++i) ;'
  changed greedy 'std::vector<double> all; for (;;) all.resize(2 * all.size() + 9);'
  sed -i 's/^#include <cmath>/&\n#include <vector>/' "$class/greedy"/*
  changed hangs 'return 0;' && begins "$class/hangs"/* 'inline unsigned left = sleep(1000);'
  changed large 'return all.capacity();' &&
    begins "$class/large"/* '#include <vector>\ninline std::vector<char> all = [] { std::vector<char> v; v.reserve(6000000000); return v; }();'
fi
PATIENCE=50 sh lessons/grade_class.sh 1 "$class" >"$work/table" 2>"$work/errors" || fail 'a class: exit status'
row() { # NAME CELLS LINE: of the table, and of the CSV
  grep -q "^$(echo "$2" | sed 's/[^ ][^ ]*/& */g') *$1\$" "$work/table" || fail "a class: the table has another row of $1 than $2"
  grep -q "^\"$1\",$3" "$class/lesson1.csv" || fail "a class: the CSV has another line of $1 than $3"
}
cp "$work/table" "$work/printed"
row "Ann O'Neil, jr." 'done done done done done' '1,1,1,1,1,5,""$'
row 'deep down' '- done - - -' '0,1,0,0,0,1,"1.5: not handed in'
row nothing '- - - - -' '0,0,0,0,0,0,'
row wrong 'wrong - - - -' '0,0,0,0,0,0,"1.5: gain: every entry is 1.5 times'
row crashes 'wrong - - - -' '0,0,0,0,0,0,"1.5: your code crashed'
row forks 'wrong - - - -' '0,0,0,0,0,0,"1.5: your code starts another process'
row nonsense 'wrong - - - -' '0,0,0,0,0,0,"1.5: it does not compile.*nonsense'
row ends '? done done done done' '0,1,1,1,1,4,"1.5: the program ended, or the time was over'
row deletes 'done done done done done' '1,1,1,1,1,5,""$'
row reads 'wrong - - - -' '0,0,0,0,0,0,"1.5: .*nobody types while an answer is checked'
row talks 'wrong - - - -' '0,0,0,0,0,0,"1.5: '
row marked 'done - - - -' '1,0,0,0,0,1,"1.6: not handed in'
row 'linked folder' 'done - - - -' '1,0,0,0,0,1,"1.6: not handed in'
row 'linked file' '- - - - -' '0,0,0,0,0,0,"1.5: not handed in'
if [ "${3:-}" = all ]; then
  row endless 'wrong - - - -' '0,0,0,0,0,0,"1.5: your code did not end within 30 seconds'
  row greedy 'wrong - - - -' '0,0,0,0,0,0,"1.5: your code wants more memory'
  row large '? - - - -' '0,0,0,0,0,0,"1.5: the program ended, or the time was over'
  row hangs '? - - - -' '0,0,0,0,0,0,"1.5: the program ended, or the time was over'
fi
[ "$(wc -l <"$class/lesson1.csv")" -eq "$(($(ls "$class" | grep -vc '\.csv$') + 1))" ] || fail 'a class: not a line a pupil'
[ -s "$work/left" ] || fail 'a class: nothing was left running, so nothing was ended'
kill -0 "$(cat "$work/left")" 2>/dev/null && fail 'a class: what a pupil left is running'
for bad in "9 '$class'" "1 '$work/nobody'" 1 ''; do
  eval "sh lessons/grade_class.sh $bad" >"$work/printed" 2>&1
  [ $? -eq 2 ] && [ "$(wc -l <"$work/printed")" -eq 1 ] || fail "grade_class.sh $bad: not one line and the status 2"
done

python3 -c 'import json, sys; print(json.load(sys.stdin)["postCreateCommand"])' <.devcontainer/devcontainer.json >"$work/printed" 2>&1
grep -q 'g++ make' "$work/printed" || fail 'the container of .devcontainer has no compiler'

echo "grading: $failed checks failed"
[ "$failed" -eq 0 ]
