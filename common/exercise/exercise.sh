# What `make hint1.2` and its like run, from the root: sh common/exercise/exercise.sh hint|solution|reset|open|watch 1.2;
# `text ANSWER` prints the solution in a file of answers/. Each call of hint prints the next one, and notes it under
# build/hints, or in the folder of a third argument. Exit status 2 where there is no such exercise.
# SPDX-License-Identifier: MIT
set -u
what=$1 number=$2 notes=${3:-build/hints}

# The head of the stub, and our namespace without its slips.
text_of() { # ANSWER
  awk '/^namespace/ { exit } { print }' "$(echo "$1" | sed 's,/answers/\(.*\)\.cpp$,/exercises/\1.hpp,')"
  awk '/^namespace ours::/ { inside = 1 }
    inside && /^ *slip\(/ { slip = 1 }
    { end = inside && /^}  \/\/ namespace/; ending = slip && /"\);$/ }
    inside && !slip { sub("namespace ours::", "namespace "); print }
    ending { slip = 0 }
    end { exit }' "$1"
}
if [ "$what" = text ]; then
  text_of "$number"
  exit
fi

# Our file; the reader's has the same name, whatever copies lie beside it.
only=${number%%.*} file=
case $number in
*[!0-9.]* | .* | *. | *.*.*) ;;
*.*) file=$(echo lessons/"$only"_*/answers/ex"$only"_"${number#*.}"_*.cpp) ;;
esac
if [ ! -f "$file" ]; then
  if grep -qs "^# $number |" lessons/"$only"_*/derive.txt; then
    echo "Exercise $number is answered line by line: make derive$number asks, judges, and gives hints for ?"
    exit
  fi
  [ -d "$(echo lessons/"$only"_*)" ] || only= # a lesson that there is
  all=$(for file in lessons/"$only"*/exercises/ex*.hpp; do basename "$file"; done | sort -t_ -k1.3,1n -k2,2n |
    sed 's/^ex\([0-9]*\)_\([0-9]*\)_.*/\1.\2/' | tr '\n' ' ')
  echo "make $what$number: there is no exercise $number; here are ${all% }" >&2
  exit 2
fi
stub=${file%/answers/*}/exercises/$(basename "$file" .cpp).hpp
case $what in
solution) text_of "$file" && exit ;;
open) exec ${EDITOR:-vi} "+$(grep -n TODO "$stub" | sed 's/:.*//; q')" "$stub" ;;
watch)
  while true; do
    now=$(cksum <"$stub")
    [ "$now" = "${seen:-}" ] || make --no-print-directory "exercise$number"
    seen=$now && sleep 1
  done ;;
esac
if [ "$what" = reset ]; then
  for commit in $(git rev-list HEAD -- "$stub" 2>/dev/null); do # the newest that is as given
    git show "$commit:$stub" 2>/dev/null | grep -q TODO || continue
    git show "$commit:$stub" | cmp -s - "$stub" && echo "$stub is as it was given." && exit
    kept=$stub.mine
    while [ -e "$kept" ]; do kept=$kept.mine; done
    cp "$stub" "$kept" && git show "$commit:$stub" >"$stub" && echo "$stub is as it was given; yours: $kept"
    exit
  done
  echo "make reset$number: git knows no earlier version of $stub; take it from where the course came from" >&2
  exit 2
fi
set -e # a hint that cannot be written is not noted as shown

# `// Hint: ...` at the top of the answer, over several lines.
hints=$(awk '!/^\/\// || /SPDX/ { exit } { sub("^// ?", ""); print }' "$file")
count=$(printf '%s\n' "$hints" | grep -c '^Hint: ')
shown=0
[ ! -f "$notes/$number" ] || shown=$(tr -cd 0-9 <"$notes/$number")
next=$((${shown:-0} % count + 1))
echo "Exercise $number, hint $next of $count:"
printf '%s\n' "$hints" | awk -v wanted="$next" 'sub("^Hint: ", "") { ++count } count == wanted'
mkdir -p "$notes"
echo "$next" >"$notes/$number"
if [ "$next" -eq "$count" ]; then
  echo "That was the last; the next call starts again. Ours: make solution$number"
fi
