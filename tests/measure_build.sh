#!/bin/sh
# How long one waits: from a fresh clone to the first line of lesson 1 and to the end of the course, from a changed line to
# what it changes, from an edited exercise to its check, and for the tests. Medians of RUNS (3; fresh clones are built once).
# Run: sh tests/measure_build.sh [RUNS], from the root, on a machine that does nothing else. Needs git and GNU date.
# SPDX-License-Identifier: MIT
runs=${1:-3}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
report() { printf '%-58s %6s s\n' "$1" "$2"; }
since() { echo "$1 $(date +%s.%N)" | awk '{ printf "%.1f\n", $2 - $1 }'; }

# Seconds until a command prints a line that begins with $1, which go to the file `first`, and until it ends.
watch() { # BEGIN COMMAND...
  begin=$1 start=$(date +%s.%N); shift
  : >"$work/first"
  "$@" 2>&1 | while IFS= read -r line; do
    case $line in "$begin"*) [ -s "$work/first" ] || since "$start" >"$work/first" ;; esac
  done
  since "$start"
}

# The median of the seconds until a command prints such a line, when a file was changed.
changed() { # FILE BEGIN COMMAND...
  file=$1; shift
  for _ in $(seq "$runs"); do touch "$file"; watch "$@" >"$work/all"; cat "$work/first"; done |
    sort -n | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'
}

git clone -q . "$work/course" && cd "$work/course" || exit 1
all=$(watch "Lesson 1" make lessons)
report "make lessons, fresh clone: first line of lesson 1" "$(cat "$work/first")"
report "the same, everything compiled and run" "$all"
for folder in lessons/[0-9]*_*; do
  n=${folder#lessons/} n=${n%%_*}
  for file in "$(ls "$folder"/parts/*.cpp | sed -n 5p)" "$folder/models.hpp"; do
    report "a line changed in $file" "$(changed "$file" "Lesson $n" make "lesson$n" ARGS="--part 1 --quick")"
  done
done
report "an exercise edited, make exercise1.3" "$(changed lessons/1_*/exercises/ex1_3_*.hpp "1.3" make exercise1.3)"
git clone -q . "$work/tested" && cd "$work/tested" || exit 1
report "make test, fresh clone" "$(watch '' make test)"
