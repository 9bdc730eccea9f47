#!/bin/sh
# How long one waits: from a fresh clone to the first line of lesson 1 and to the end of the course, from a changed line to
# what it changes, from an edited exercise to its check, and for the tests. Medians of RUNS (3; fresh clones are built once).
# Run: sh tests/measure_build.sh [RUNS], from the root, on a machine that does nothing else. Needs git and GNU date.
# SPDX-License-Identifier: MIT
runs=${1:-3}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%.1f\n", $2 - $1 }'; }
median() { sort -n | awk '{ t[NR] = $1 } END { print t[int((NR + 1) / 2)] }'; }
report() { printf '%-58s %6s s\n' "$1" "$2"; }

# Seconds until a command prints a line that begins with $1, and until it ends: in $first and $all.
watch() { # BEGIN COMMAND...
  begin=$1 start=$(now); shift
  "$@" 2>&1 | while IFS= read -r line; do
    case $line in "$begin"*) [ -s "$work/first" ] || since "$start" >"$work/first" ;; esac
  done
  all=$(since "$start") first=$(cat "$work/first")
  rm -f "$work/first"
}

# The median of the seconds until lesson $1 prints its first line, when $2 was changed.
changed() { # LESSON FILE PART
  k=0
  while [ $k -lt "$runs" ]; do
    touch "$2"
    watch "Lesson $1" make "lesson$1" ARGS="--part $3 --quick"
    echo "$first"
    k=$((k + 1))
  done | median
}

git clone -q . "$work/course" && cd "$work/course" || exit 1
watch "Lesson 1" make lessons
report "make lessons, fresh clone: first line of lesson 1" "$first"
report "the same, everything compiled and run" "$all"
for folder in lessons/[0-9]*_*; do
  n=$(basename "$folder") && n=${n%%_*}
  part=$(ls "$folder"/parts/*.cpp | sed -n 5p)
  report "a line changed in $part" "$(changed "$n" "$part" 1)"
  model=$(ls -S "$folder"/model/*.cpp | head -n 1) # the largest
  report "a line changed in $model" "$(changed "$n" "$model" 1)"
done
report "an exercise edited, make exercise1.3" "$(
  k=0
  while [ $k -lt "$runs" ]; do
    touch lessons/1_*/exercises/ex1_3_*.hpp
    start=$(now); make exercise1.3 >"$work/out" 2>&1; since "$start"
    k=$((k + 1))
  done | median)"
git clone -q . "$work/tested" && cd "$work/tested" || exit 1
start=$(now); make test >"$work/out" 2>&1 || echo "make test: $(tail -n 3 "$work/out")"
report "make test, fresh clone" "$(since "$start")"
