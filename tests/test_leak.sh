#!/bin/sh
# No decision may use the data that judge it: with noise in their place, stored weights, chosen
# rates and the columns "stored" and "validation" stay. Knows only the lessons' flags and that a
# text's last twentieth judges; it finds out which images do.
# Run: sh tests/test_leak.sh FOLDER_OF_THE_PROGRAMS, from the root.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
programs=$(cd "$1" && pwd)

# Copies the file's weights to $2, without the header, which holds the hash of the text.
weights() { tail -c +$((9 + $(od -An -t u8 -N 8 "$1"))) "$1" >"$2"; }

# Prints the cells under these column names, and sentences that begin with "Chosen". Hyphens mark
# where columns begin and end; a character counts as its first byte.
decided() {
  LC_ALL=C tr -d '\200-\277' <"$1" | LC_ALL=C awk '
    /^ *---*(  *---*)*$/ {
      columns = 0
      for (at = 1; match(substr($0, at), /-+/); at += RSTART + RLENGTH - 1) {
        ++columns; first[columns] = at + RSTART - 1; width[columns] = RLENGTH
        title[columns] = substr(before, first[columns], RLENGTH); gsub(/^ *| *$/, "", title[columns])
      }
      next
    }
    !/^  / { columns = 0 }
    /^Chosen / { chosen = 1 }
    /^$|^\[/ { chosen = 0 }
    chosen { print }
    { before = $0
      for (k = 1; k <= columns; ++k)
        if (title[k] ~ /^(model|rate|stored|validation)$/)
          printf "%s: %s\n", title[k], substr($0, first[k], width[k]) }'
}

# Leaves what a lesson decides on these data in $work/NAME.weights and .decided.
run() { # NAME PROGRAM FLAGS...
  name=$1 program=$programs/$2; shift 2
  "$program" "$@" --threads 1 --save "$work/model" --out "$work/out" >"$work/said" 2>&1 ||
    fail "$*: $(tail -n 1 "$work/said")"
  decided "$work/said" >"$work/$name.decided"
  weights "$work/model" "$work/$name.weights"
}
same() { cmp -s "$work/$1.weights" "$work/$2.weights" && cmp -s "$work/$1.decided" "$work/$2.decided"; }

# The last twentieth gets other letters.
head -c 57000 common/data/play.txt >"$work/learned"
{ cat "$work/learned"; tail -c 3000 common/data/play.txt; } >"$work/text"
{ cat "$work/learned"; tail -c 3000 common/data/play.txt | tr 'a-z' 'n-za-m'; } >"$work/noise"
for flags in 'lesson6 --recipe C --width 8 --heads 2 --context 8 --batch 4 --steps 5' \
  'lesson2 --part 6 --all --quick --steps 20'; do
  # shellcheck disable=SC2086  # a program and its flags, here and below
  for text in text noise; do run $text $flags --text "$work/$text"; done
  same text noise || fail "$flags: the last twentieth of a text decides something"
  tail -c 30000 common/data/play.txt >"$work/other"
  run other $flags --text "$work/other"
  ! same text other || fail "$flags: nothing depends on the text at all"
  run seeded $flags --text "$work/text" --seed 2
  ! cmp -s "$work/text.weights" "$work/seeded.weights" || fail "$flags: --seed changes nothing"
done
# shellcheck disable=SC2086
run decayed $flags --text "$work/text" --decay 1
! cmp -s "$work/text.weights" "$work/decayed.weights" || fail "$flags: --decay changes nothing"
grep -q '^Chosen' "$work/text.decided" || fail "lesson 2 does not say what it chose"

# A fifth of a hundred images judges: those whose labels change no weight.
{
  printf '\000\000\010\003\000\000\000\144\000\000\000\002\000\000\000\002'
  awk 'BEGIN { for (k = 4; k < 404; ++k) printf "%c", k % 4 == int(k / 4) % 4 ? 120 : 33 + k * k % 50 }'
} >"$work/images"
labels() { # SPOILT
  printf '\000\000\010\001\000\000\000\144'
  for image in $(seq 100); do
    case $1 in *" $image "*) printf '\007' ;; *) printf "\\00$((image % 4))" ;; esac
  done
}
of_images() { # NAME FLAGS...
  of=$1; shift
  run "$of" lesson5 --images "$work/images" --labels "$work/labels" --part 6 --steps 40 "$@"
}
labels '' >"$work/labels"
of_images kept --all
judges=' '
for k in $(seq 100); do
  labels " $k " >"$work/labels"
  of_images spoilt
  ! cmp -s "$work/kept.weights" "$work/spoilt.weights" || judges="$judges$k "
done
[ "$(echo "$judges" | wc -w)" -eq 20 ] || fail "lesson 5: the images that change no weight are '$judges', and no fifth"
labels "$judges" >"$work/labels"
of_images spoilt --all
same kept spoilt || fail "lesson 5: the images that judge decide something"
grep -q 'rate: *[0-9.]' "$work/kept.decided" || fail "lesson 5: no rate was found in what it prints"
echo "test_leak: $failed failed"
[ $failed -eq 0 ]
