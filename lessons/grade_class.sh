#!/bin/sh
# Grades a class: sh lessons/grade_class.sh 1 FOLDER, where FOLDER holds one folder a pupil, with files exN_K_*.hpp at any
# depth. Each pupil is graded in a copy of the course, with limits on time, memory and processes, so that nobody's program
# stops the others'. Prints a table, and writes FOLDER/lesson1.csv: 1 for what is right, and why the rest is not.
# PATIENCE is the number of seconds for one pupil. Exit status 2 where there is no such lesson or folder.
# SPDX-License-Identifier: MIT
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
patience=${PATIENCE:-600}
lesson=${1:-} class=$(cd "${2:-}" 2>/dev/null && pwd)
cd "$(dirname "$0")/.." || exit 2
folder=$(echo lessons/"$lesson"_*)
if [ $# -ne 2 ] || [ -z "$class" ] || [ ! -d "$folder" ]; then
  echo "Say sh lessons/grade_class.sh 1 FOLDER, with the number of a lesson, and a folder that holds one folder a pupil." >&2
  exit 2
fi
command -v timeout >/dev/null || { echo 'grade_class.sh needs timeout, of the GNU coreutils.' >&2; exit 2; }
numbers=$(ls "$folder/answers" | sed -n 's/^ex\([0-9]*\)_\([0-9]*\)_.*\.cpp$/\1.\2/p' | sort -t . -k 2n)
table=$class/lesson$lesson.csv

# Everything is compiled once, and copied without what belongs to other programs.
make build/exercise"$lesson" >&2 || exit 2
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) || exit 2
room=$(mktemp -d) && room=$(cd "$room" && pwd -P) || exit 2 # nothing else is near a pupil's program
trap 'rm -rf "$work" "$room"' EXIT
trap 'exit 1' HUP INT TERM
course=$work/course copy=$room/course
mkdir -p "$course/build" "$course/tests" && cp -pR Makefile common lessons "$course" && cp -pR tests/equations "$course/tests"
for file in build/*; do
  case $file in
  */common | */lessons | */exercises | */solutions) cp -pR "$file" "$course/build" ;;
  *) [ ! -f "$file" ] || cp -p "$file" "$course/build" ;;
  esac || exit 2
done

# Prints the file that a pupil handed in for an exercise. The name may have changed on its way; a longer text is no answer.
handed_in() { # PUPIL NUMBER
  start=ex$(echo "$2" | tr . _)_
  find -H "$1" -type d \( -name build -o -name .git \) -prune -o -type f -name "$start*.hpp" -size -400 -print | sort | tail -n 1
}

limit() {
  ulimit -t 120     # seconds of one process
  ulimit -v 4000000 # KB
  ulimit -f 400000  # blocks
  # Processes are counted over all that one user has. Other shells say -p.
  most=$(($(ls -d /proc/[0-9]*/task/[0-9]* 2>/dev/null | wc -l) + 200))
  [ $most -eq 200 ] || ulimit -u $most || ulimit -p $most
} 2>/dev/null

# Ends what a pupil's program left running, which has GRADED in its environment.
sweep() {
  for process in $(grep -l -s -F "GRADED=$copy" /proc/[0-9]*/environ | tr -cd '0-9\n'); do kill -9 "$process" 2>/dev/null; done
}

# Prints, a line each, what make finds of these exercises, where no others are handed in.
marks() { # PUPIL NUMBERS...
  pupil=$1
  shift
  mkdir -p "$room" && rm -rf "$copy" && cp -pR "$course" "$copy" || exit 2
  for number in "$@"; do
    for answer in "$folder/answers/ex$(echo "$number" | tr . _)"_*.cpp; do
      cp "$(handed_in "$pupil" "$number")" "$copy/$folder/exercises/$(basename "$answer" .cpp).hpp"
    done
  done
  what=$lesson
  [ $# -gt 1 ] || what=$1
  (cd "$copy" && limit && GRADED=$copy timeout -k 5 "$patience" make -s "grade$what" ARGS=--json) </dev/null 2>/dev/null >"$work/marks"
  for number in "$@"; do grep "^{\"id\": \"$number\", " "$work/marks" | head -n 1; done
  sweep
}

# Prints a row of the table, and writes that of the CSV: from marks, of a pupil who handed in these exercises.
row() { # NAME NUMBERS...
  NAME=$1 NUMBERS=$numbers awk -v file="$work/csv" -v handed="$(shift && echo " $* ")" '
    function quoted(text) { gsub(/"/, "\"\"", text); return "\"" text "\"" }
    {
      split($0, part, "\"")
      message = $0
      sub(/.*"message": "/, "", message)
      sub(/"}$/, "", message)
      gsub(/\\n/, "; ", message)
      gsub(/\\"/, "\"", message)
      found[part[4]] = /", "done": true,/ ? "done" : "wrong"
      says[part[4]] = message
    }
    END {
      count = split(ENVIRON["NUMBERS"], number, /[ \n]+/)
      line = quoted(ENVIRON["NAME"])
      for (k = 1; k <= count; ++k) {
        is = number[k]
        if (!(is in found)) {
          found[is] = index(handed, " " is " ") ? "?" : "-"
          says[is] = found[is] == "-" ? "not handed in" : "the program ended, or the time was over, before it was checked"
        }
        printf "%-6s", found[is]
        right += found[is] == "done"
        line = line "," (found[is] == "done")
        if (found[is] != "done") why = why (why == "" ? "" : " | ") is ": " says[is]
      }
      print " " ENVIRON["NAME"]
      print line "," right + 0 "," quoted(why) >>file
    }'
}

{ printf 'pupil,' && echo "$numbers" | tr '\n' ',' && echo 'done,why'; } >"$work/csv"
for number in $numbers; do printf '%-6s' "$number"; done && echo
for pupil in "$class"/*/; do
  [ -d "$pupil" ] || continue
  all=
  for number in $numbers; do [ -z "$(handed_in "$pupil" "$number")" ] || all="$all $number"; done
  # shellcheck disable=SC2086  # a list of words
  { [ -z "$all" ] || marks "$pupil" $all; } >"$work/found"
  for number in $all; do # one may have hidden others
    [ "$all" = " $number" ] || grep -q "\"$number\"" "$work/found" || marks "$pupil" "$number" >>"$work/found"
  done
  # shellcheck disable=SC2086
  row "$(basename "$pupil")" $all <"$work/found"
done
cp "$work/csv" "$table" && echo "- is not handed in, ? could not be checked; the reasons stand in $table"
