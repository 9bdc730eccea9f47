# What `make hint1.5` and its like run, from the root: sh common/frame/exercise/exercise.sh hint|solution|reset|open|watch 1.5;
# reset takes a whole lesson, too. `text ANSWER` prints the solution in a file of answers/. Each call of hint prints the next one, and notes it under
# build/hints, or in the folder of a third argument. Exit status 2 where there is no such exercise. `grade 1.5`, or of a whole
# lesson, has the status 0 only if all is right; with --marks it prints a line an exercise.
# SPDX-License-Identifier: MIT
set -u
what=$1 number=$2 notes=${3:-build/hints}

# Our includes, and our namespace without its slips: nothing that a reader wrote.
text_of() { # ANSWER
  awk 'NR == 1 || /SPDX/ { print } /SPDX/ { print "#pragma once" } /^#include/ { print } /^\/\/ For the check:/ { print ""; exit }' "$1"
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

# A status of 0 alone proves nothing, as an answer may end the program: as many exercises must be done as there are.
if [ "$what" = grade ]; then
  shift 2
  all=1
  case $number in
  *.*) set -- --only "$number" "$@" ;;
  *) all=$(ls lessons/"$number"_*/answers/ex*.cpp | wc -l) ;;
  esac
  said=$(mktemp) || exit # and no pipe: what an answer leaves running would hold it open
  trap 'rm -f "$said"' EXIT
  build/exercise"${number%%.*}" "$@" </dev/null >"$said"
  status=$?
  cat "$said"
  done=$(grep -c -e '^{"id": "[0-9.]*", "done": true,' -e '^[0-9.]* .*\.\. done$' "$said")
  [ $status -ne 0 ] || [ "$done" -ge "$all" ] || echo "make grade$number: the program ended before all was checked" >&2
  [ $status -eq 0 ] && [ "$done" -ge "$all" ]
  exit
fi

# Our file; the reader's has the same name, whatever copies lie beside it.
only=${number%%.*} answer=
case $number in
*[!0-9.]* | .* | *. | *.*.*) ;;
*.*) answer=$(echo lessons/"$only"_*/answers/ex"$only"_"${number#*.}"_*.cpp) ;;
*?) [ "$what" != reset ] || answer=$(echo lessons/"$only"_*/answers/ex*.cpp) ;; # all of a lesson
esac
last=
for last in $answer; do :; done
if [ ! -f "$last" ]; then
  if grep -qs "^# $number |" lessons/"$only"_*/derive.txt; then
    if [ "$what" = solution ]; then
      ${MAKE:-make} -s build/lesson"$only" >&2 && build/lesson"$only" --derive "$number" --line '!'
      echo "make derive$number asks for these lines, one by one."
      exit
    fi
    echo "Exercise $number is answered line by line: make derive$number asks, judges, and gives hints for ?"
    exit
  fi
  [ -d "$(echo lessons/"$only"_*)" ] || only= # a lesson that there is
  all=$(for one in lessons/"$only"*/exercises/ex*.hpp; do basename "$one"; done | sort -t_ -k1.3,1n -k2,2n |
    sed 's/^ex\([0-9]*\)_\([0-9]*\)_.*/\1.\2/' | tr '\n' ' ')
  echo "make $what$number: there is no exercise $number; here are ${all% }" >&2
  exit 2
fi

stub_of() { echo "${1%/answers/*}/exercises/$(basename "$1" .cpp).hpp"; } # ANSWER

# Takes the newest version that git has of the stub as it was given; the reader's is kept beside it.
reset() { # STUB
  # With ./ the course may be a folder of another repository.
  for commit in $(git rev-list HEAD -- "$1" 2>/dev/null); do
    git show "$commit:./$1" 2>/dev/null | grep -q TODO || continue
    git show "$commit:./$1" | cmp -s - "$1" && echo "$1 is as it was given." && return
    kept=$1.mine
    while [ -e "$kept" ]; do kept=$kept.mine; done
    if [ -f "$1" ]; then cp "$1" "$kept" || return; else kept='it was gone'; fi
    git show "$commit:./$1" >"$1" && echo "$1 is as it was given; yours: $kept"
    return
  done
  wanted=$(git rev-list -1 HEAD 2>&1 | sed -n 's/^[[:blank:]]*\(git config .*safe.directory.*\)/\1/p')
  if [ -n "$wanted" ]; then
    echo "make reset$number: this folder belongs to somebody else, and git reads it only after: $wanted" >&2
  else
    echo "make reset$number: git knows no earlier version of $1; take it from where the course came from" >&2
  fi
  return 2
}

# Opens the stub at its TODO. How an editor is told the line depends on its name; one that we do not know gets the file alone.
edit() { # STUB
  [ -f "$1" ] || { echo "make open$number: $1 is not there; make reset$number brings it back" >&2; exit 2; }
  editor=${EDITOR:-${VISUAL:-vi}}
  line=$(grep -n TODO "$1" | sed 's/:.*//; q')
  case ${line:+$(echo "$editor" | sed 's/ -.*//; s/["'"'"']//g; s,.*/,,')} in
  code* | codium* | cursor* | windsurf*) set -- --goto "$1:$line" ;;
  subl* | zed* | hx | helix) set -- "$1:$line" ;;
  vi | *vim* | nano* | pico | emacs* | micro | kak | joe | jed | mg | ne | gedit) set -- "+$line" "$1" ;;
  esac
  eval "exec $editor \"\$@\""
}

case $what in
solution) text_of "$answer" && exit ;;
open) edit "$(stub_of "$answer")" ;;
watch)
  while true; do
    now=$(cksum "$(stub_of "$answer")" 2>/dev/null)
    [ "$now" = "${seen:-}" ] || ${MAKE:-make} --no-print-directory "exercise$number"
    seen=$now && sleep 1
  done ;;
reset)
  for file in $answer; do reset "$(stub_of "$file")" || exit; done
  exit ;;
esac
set -e # a hint that cannot be written is not noted as shown

# `// Hint: ...` at the top of the answer, over several lines.
hints=$(awk '!/^\/\// || /SPDX/ { exit } { sub("^// ?", ""); print }' "$answer")
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
