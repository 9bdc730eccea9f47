# The exercises of one lesson: every solution passes, every stub says "not started", every exercise has hints.
# Run: sh tests/test_exercises.sh <exercise program> <solution program> <lesson folder> [emulator...], from the root of the
# course. The emulator is what starts the programs where they are not made for this machine.
# Readers write into the stubs: one whose TODO line is gone is theirs, and is left out.
# SPDX-License-Identifier: MIT
set -u
exercise=$1 solution=$2 folder=$3
shift 3
failed=0 pristine=0
notes=$(mktemp -d) || exit 1
trap 'rm -rf "$notes"' EXIT

fail() {
  echo "FAIL $1"
  failed=$((failed + 1))
}

# What a program's report says of exercise $2: "done", "not started", or "wrong: ..."; findings below the line are no part.
said_of() { echo "$1" | sed -n "s/^$2 .*\.\.\. //p"; }

solved=$("$@" "$solution" --out "$notes/out/solved") || fail "the solutions do not pass; the program says: $solved"
stubs=$("$@" "$exercise" --out "$notes/out/stubs")
status=$?

# The same program beside a course whose stubs have lost their TODO lines, and are as given otherwise.
course=$notes/course
copy=$course/lessons/$(basename "$folder")
mkdir -p "$course/build" "$course/common/data" "$copy/exercises" && : >"$course/common/data/play.txt"
cp "$exercise" "$course/build" && cp "$folder/README.md" "$copy"
for file in "$folder"/exercises/ex*.hpp; do grep -v TODO "$file" >"$copy/exercises/$(basename "$file")"; done
begun=$("$@" "$course/build/$(basename "$exercise")" --out "$notes/out/begun" | sed 's/wrong: .*/wrong:/')

for file in "$folder"/exercises/ex*.hpp; do
  name=$(basename "$file")
  number=$(echo "$name" | sed 's/^ex\([0-9]*\)_\([0-9]*\)_.*/\1.\2/')
  mirror=$folder/answers/solutions/$name
  [ "$(said_of "$solved" "$number")" = done ] || fail "$number: its solution is not 'done'"
  [ -f "$mirror" ] || fail "$number: $mirror is missing"
  ! grep -q TODO "$mirror" || fail "$number: the solution has a TODO line"

  if ! grep -q 'TODO' "$file"; then
    echo "$number is yours (its TODO line is gone) and is left out"
  else
    pristine=$((pristine + 1))
    [ "$(grep -c TODO "$file")" -eq 1 ] || fail "$number: the stub must have one TODO line"
    said=$(said_of "$stubs" "$number")
    [ "$said" = 'not started' ] ||
      fail "$number: the stub must say 'not started', not '$said' (if it is yours, remove its TODO line)"
    said=$(said_of "$begun" "$number")
    [ "$said" = wrong: ] || fail "$number: as given, but without its TODO line, it must be wrong, not '$said'"
  fi

  first=$(sh common/support/exercise.sh hint "$number" "$notes")
  count=$(echo "$first" | sed -n '1s/.*hint 1 of \([0-9]*\):$/\1/p')
  [ "${count:-0}" -ge 2 ] || fail "$number: fewer than two hints: $first"
  hint=$first shown=1
  while [ "$shown" -le "${count:-0}" ]; do
    echo "$hint" | sed '1d; /^That was the last/d' | grep -q '[a-z]' || fail "$number: hint $shown is empty"
    hint=$(sh common/support/exercise.sh hint "$number" "$notes")
    shown=$((shown + 1))
  done
  [ "$hint" = "$first" ] || fail "$number: behind the last hint comes not the first"
done

[ "$(echo "$solved" | grep -c '\.\. done$')" -eq "$(ls "$folder"/exercises/ex*.hpp | wc -l)" ] ||
  fail "the check and the folder do not have the same number of exercises"
[ "$pristine" -eq 0 ] || [ "$status" -eq 1 ] || fail "with open exercises the exit status must be 1, not $status"

# Output that nobody receives is no success.
if [ -c /dev/full ]; then
  "$@" "$solution" --out "$notes/out" >/dev/full 2>/dev/null
  [ $? -eq 2 ] || fail "a report that cannot be written must give exit status 2"
  "$@" "$solution" --out "$notes/out" --summary >/dev/full 2>/dev/null
  [ $? -eq 2 ] || fail "a summary that cannot be written must give exit status 2"
  for what in hint solution; do
    ! sh common/support/exercise.sh $what "$(basename "$folder" | sed 's/_.*//').1" "$notes" >/dev/full 2>/dev/null ||
      fail "a $what that cannot be written must fail"
  done
fi

# The page says how far the reader is, and one exercise alone leaves what it says of the others.
page=$notes/out/kept/index.html
[ "$(grep -c '^<li id="exercise.* class="holds">' "$notes/out/solved/index.html")" -eq "$(ls "$folder"/exercises/ex*.hpp | wc -l)" ] ||
  fail "the page does not say that all are done"
first=$(basename "$folder" | sed 's/_.*//').1
"$@" "$solution" --out "$notes/out/kept" >/dev/null
"$@" "$exercise" --out "$notes/out/kept" --only "$first" >/dev/null
open=$(grep '^<li id="exercise' "$page" | grep -v 'class="holds"' | sed 's/^<li id="exercise\([0-9.]*\)".*/\1/')
! grep -q TODO "$folder/exercises/ex$(echo "$first" | tr . _)"_*.hpp || [ "$open" = "$first" ] ||
  fail "$first alone is open again, the page says: $open"

# One exercise alone, and one that does not exist.
[ "$(said_of "$("$@" "$solution" --out "$notes/out" --only "$first")" "$first")" = done ] || fail "$first alone is not 'done'"
[ "$("$@" "$solution" --out "$notes/out" --only "$first" | wc -l)" -eq 1 ] || fail "$first alone: more than its line"
"$@" "$solution" --out "$notes/out" --only 9.99 >/dev/null 2>&1
[ $? -eq 2 ] || fail "an exercise that does not exist must give exit status 2"

# For whoever marks many.
lesson=$(basename "$folder" | sed 's/_.*//')
json=$("$@" "$solution" --out "$notes/out" --json)
echo "$json" | grep -q "^{\"lesson\": $lesson, \"exercises\": {\"$first\": \"done\", .*\": \"done\"}}$" || fail "--json prints: $json"
[ "$("$@" "$solution" --out "$notes/out" --json --only "$first")" = "{\"lesson\": $lesson, \"exercises\": {\"$first\": \"done\"}}" ] ||
  fail "--json of one exercise prints more, or less"

# One that does not compile is wrong, with the compiler's words, and hides no other.
echo "$first some.hpp:7: what the compiler says" >"$notes/broken"
said=$("$@" "$solution" --out "$notes/out" --broken "$notes/broken")
echo "$said" | grep -A2 "^$first .* wrong:" | grep -q 'some.hpp:7: what the compiler says' ||
  fail "$first does not compile, and the report says: $(echo "$said" | head -n 3)"
[ "$(echo "$said" | grep -c '\.\. done$')" -eq $(($(ls "$folder"/exercises/ex*.hpp | wc -l) - 1)) ] ||
  fail "$first does not compile, and others are not done"
"$@" "$solution" --out "$notes/out" --broken "$notes/none" >/dev/null 2>&1
[ $? -eq 2 ] || fail "--broken of no file must give exit status 2"

for number in 9.9 1.99 1 1. .1 1.1.1 x ''; do
  for what in hint solution; do
    message=$(sh common/support/exercise.sh $what "$number" "$notes" 2>&1)
    [ $? -eq 2 ] && [ "$(echo "$message" | wc -l)" -eq 1 ] || fail "$what$number: one line and exit status 2: $message"
  done
done

echo "exercises of $(basename "$folder"): $pristine stubs as given, $failed checks failed"
[ "$failed" -eq 0 ]
