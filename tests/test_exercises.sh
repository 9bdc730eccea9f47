#!/bin/sh
# Every solution of a lesson passes, every stub says "not started", every exercise has hints, and an
# exercise that does not compile hides no other.
# Run: sh tests/test_exercises.sh EXERCISE_PROGRAM SOLUTION_PROGRAM LESSON_FOLDER [EMULATOR...],
# from the root. The emulator starts programs made for another machine. A stub without its TODO is
# the reader's, and left out.
# SPDX-License-Identifier: MIT
set -u
exercise=$1 solution=$2 folder=$3
shift 3
pristine=0
. "$(dirname "$0")/shell.sh"
expect() { # WHAT STATUS COMMAND...: its exit status
  what=$1 wanted=$2 && shift 2
  "$@" >/dev/null 2>&1
  got=$?
  [ $got -eq "$wanted" ] || fail "$what: exit status $got, not $wanted"
}
# Prints a report's verdict on exercise $2: "done", "not started", or "wrong: ...".
said_of() { echo "$1" | sed -n "s/^$2 .*\.\.\. //p"; }

all=$(ls "$folder"/exercises/ex*.hpp | wc -l)
solved=$("$@" "$solution" --out "$work/out/solved") || fail "the solutions do not pass; the program says: $solved"
stubs=$("$@" "$exercise" --out "$work/out/stubs")
status=$?

# The course's stubs lose their TODO lines.
course=$work/course
copy=$course/lessons/$(basename "$folder")
mkdir -p "$course/build" "$copy/exercises" && : >"$course/lessons/CLOSING.md"
cp "$exercise" "$course/build" && cp "$folder/README.md" "$copy"
for file in "$folder"/exercises/ex*.hpp; do grep -v TODO "$file" >"$copy/exercises/$(basename "$file")"; done
begun=$("$@" "$course/build/$(basename "$exercise")" --out "$work/out/begun" | sed 's/wrong: .*/wrong:/')

for file in "$folder"/exercises/ex*.hpp; do
  name=$(basename "$file" .hpp)
  number=$(echo "$name" | sed 's/^ex\([0-9]*\)_\([0-9]*\)_.*/\1.\2/')
  [ "$(said_of "$solved" "$number")" = done ] || fail "$number: its solution is not 'done'"
  kind=$(sed -n "s/^| $number | [^|]* | \([^|]*\) | [^|]* | \([0-9]*\) |\$/\1, \2 minutes/p" "$folder/README.md")
  head -n 1 "$file" | grep -q -F "($kind)" || fail "$number: README says ($kind), its head another kind or time"
  [ -f "$folder/answers/$name.cpp" ] || fail "$number: $folder/answers/$name.cpp is missing"
  sh common/frame/exercise/exercise.sh solution "$number" | grep -q 'slip(\|TODO\|ours::' &&
    fail "$number: the solution shows more than ours"
  if grep -q TODO "$file"; then
    pristine=$((pristine + 1))
    [ "$(grep -c TODO "$file")" -eq 1 ] || fail "$number: the stub must have one TODO line"
    [ "$(said_of "$stubs" "$number")" = 'not started' ] || fail "$number: the stub must say 'not started'"
    [ "$(said_of "$begun" "$number")" = wrong: ] || fail "$number: as given, without its TODO line, it must be wrong"
  else
    echo "$number is yours (its TODO line is gone) and is left out"
  fi
  first=$(sh common/frame/exercise/exercise.sh hint "$number" "$work")
  count=$(echo "$first" | sed -n '1s/.*hint 1 of \([0-9]*\):$/\1/p')
  [ "${count:-0}" -ge 2 ] || fail "$number: fewer than two hints: $first"
  hint=$first shown=1
  while [ "$shown" -le "${count:-0}" ]; do
    echo "$hint" | sed '1d; /^That was the last/d' | grep -q '[a-z]' || fail "$number: hint $shown is empty"
    hint=$(sh common/frame/exercise/exercise.sh hint "$number" "$work")
    shown=$((shown + 1))
  done
  [ "$hint" = "$first" ] || fail "$number: behind the last hint comes not the first"
done

# What is answered line by line has no header: the call says where, and make reports no error.
for number in $(sed -n 's/^# \([0-9.]*\) |.*/\1/p' "$folder/derive.txt"); do
  [ ! -f "$(echo "$folder"/exercises/ex"$(echo "$number" | tr . _)"_*.hpp)" ] || continue
  for what in hint solution open reset; do
    sh common/frame/exercise/exercise.sh $what "$number" "$work" 2>&1 | grep -q "make derive$number" || fail "$what$number: no way to it"
    expect "$what$number" 0 sh common/frame/exercise/exercise.sh $what "$number" "$work"
  done
done

# Copying half of what a solution adds from the README may solve one exercise at most.
essence() {
  sed -e 's,//.*,,' -e 's/[[:space:];]//g' -e 's/\(^\|[^A-Za-z0-9_]\)[gdtp]\./\1/g' -e 's/^return//' \
    -e 's/^.*[^=<>!]=\([^=]\)/\1/' -e 's/\([A-Za-z]\)[0-9][0-9]*/\1/g' | awk 'length > 9' | LC_ALL=C sort -u
}
awk '/^```/ { inside = !inside; next } inside' "$folder/README.md" | essence >"$work/shown"
copied=
for answer in "$folder"/answers/ex*.cpp; do
  essence <"$folder/exercises/$(basename "$answer" .cpp).hpp" >"$work/given"
  sh common/frame/exercise/exercise.sh text "$answer" | essence | LC_ALL=C comm -23 - "$work/given" >"$work/added"
  same=$(LC_ALL=C comm -12 "$work/added" "$work/shown" | wc -l) added=$(wc -l <"$work/added")
  [ "$added" -eq 0 ] || [ $((2 * same)) -lt "$added" ] || copied="$copied $(basename "$answer" .cpp)"
done
[ "$(echo "$copied" | wc -w)" -le 1 ] || fail "the README shows the answers of$copied"

[ "$(echo "$solved" | grep -c '\.\. done$')" -eq "$all" ] || fail "check and folder do not have the same exercises"
[ "$pristine" -eq 0 ] || [ "$status" -eq 1 ] || fail "with open exercises the exit status must be 1, not $status"
expect 'each slip has its own name' 0 "$@" "$solution" --slips --out "$work/out"

# The page shows the reader's progress; running one exercise keeps the others'.
first=$(ls "$folder/exercises" | sed -n '1s/^ex\([0-9]*\)_\([0-9]*\)_.*/\1.\2/p')
page=$work/out/solved/index.html
done_on_page() { sed -n 's,^<tr><td>\([0-9.]*\)</td>.*<td>✓ done</td></tr>$,\1,p' "$page"; }
before=$(done_on_page)
[ "$(echo "$before" | wc -l)" -eq "$all" ] || fail "the page says that some are not done"
"$@" "$exercise" --out "$work/out/solved" --only "$first" >/dev/null
after=$(done_on_page)
! grep -q TODO "$folder/exercises/ex$(echo "$first" | tr . _)"_*.hpp ||
  [ "$after" = "$(echo "$before" | grep -v -x -F "$first")" ] ||
  fail "$first alone is open again, the page says that these are done: $after"
[ "$("$@" "$solution" --out "$work/out" --only "$first" | wc -l)" -eq 1 ] || fail "$first alone: more than its line"
json=$("$@" "$solution" --out "$work/out" --json --only "$first")
[ "${json%, \"derivations\"*}" = "{\"lesson\": ${first%.*}, \"exercises\": {\"$first\": \"done\"}" ] ||
  fail "--json prints: $json"
expect 'an exercise that does not exist' 2 "$@" "$solution" --out "$work/out" --only 9.99
for number in 9.9 1.99 1 1. .1 1.1.1 x ''; do
  expect "hint of '$number'" 2 sh common/frame/exercise/exercise.sh hint "$number" "$work"
done

# A README of misprints keeps no answer from being checked, and no page from being written.
cp "$folder/derive.txt" "$copy"
{ sed '/([0-9]\.[0-9]*)$/s/ = / = nowhere·/' "$folder/README.md"; printf '\n**unfinished\n\n| exercise | title |\n|---|---|\n| 1 | *a |\n'; } \
  >"$copy/README.md"
expect 'a README of misprints' 1 "$@" "$course/build/$(basename "$exercise")" --out "$work/out/slips"
grep -q 'unfinished' "$work/out/slips/index.html" || fail 'a README of misprints: there is no page'

# What stands beside --out, or in it, and is no page of ours stays.
mkdir "$work/mine" && echo mine | tee "$work/mine/index.html" >"$work/index.html"
expect 'a page beside --out' 0 "$@" "$solution" --out "$work/page" --only "$first"
expect 'a page in --out' 2 "$@" "$solution" --out "$work/mine" --only "$first"
[ "$(cat "$work/index.html" "$work/mine/index.html" | tr '\n' ' ')" = 'mine mine ' ] || fail 'a page that is not ours is gone'

echo "exercises of $(basename "$folder"): $pristine stubs as given, $failed checks failed"
[ "$failed" -eq 0 ]
