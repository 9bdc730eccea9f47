#!/bin/sh
# No decision may use the data that judge it: with noise in their place, stored weights, chosen
# rates and the columns "stored" and "validation" stay. And what is judged must move with them: a
# figure that does not was measured on other data. Knows the lessons' flags, the titles of judged
# columns, and that a text's last twentieth judges; it finds out which images do.
# Run: sh tests/test_leak.sh FOLDER_OF_THE_PROGRAMS, from the root.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
programs=$(cd "$1" && pwd)

# Copies the file's weights to $2, without the header, which holds the hash of the text.
weights() { tail -c +$((9 + $(od -An -t u8 -N 8 "$1"))) "$1" >"$2"; }

# Prints the cells of a run ($2) under titles that match $1, and sentences that say what chose or,
# if $1 is not of decisions, speak of the test text or the last tenth. Hyphens mark where columns begin
# and end; a character counts as its first byte.
cells() {
  LC_ALL=C tr -d '\200-\277' <"$2" | LC_ALL=C awk -v titles="^($1)\$" '
    /^ *---*(  *---*)*$/ {
      columns = 0
      for (at = 1; match(substr($0, at), /-+/); at += RSTART + RLENGTH - 1) {
        ++columns; first[columns] = at + RSTART - 1; width[columns] = RLENGTH
        title[columns] = substr(before, first[columns], RLENGTH); gsub(/^ *| *$/, "", title[columns])
      }
      next
    }
    !/^  / { columns = 0 }
    /^Chosen |^A [^.]* chose / { chosen = 1 }
    /^$|^\[|^  / { chosen = 0 }
    chosen && "rate" ~ titles { print }
    "rate" !~ titles && /^[^[ ].*(test text is|last tenth).*[0-9]\.[0-9]/ { print }
    { before = $0
      for (k = 1; k <= columns; ++k)
        if (title[k] ~ titles)
          printf "%s: %s\n", title[k], substr($0, first[k], width[k]) }'
}
decided='model|rate|best rates|stored|validation|from pattern|effective rank'
text_judged='test|perplexity|network|pruned table|standard'
image_judged='right|fooled|noise .4'

# Every judged cell of the runs $1 and $2 must differ, and there must be at least $4 (0: none is tabled).
moved() { # RUN OTHER TITLES COUNT
  cells "$3" "$work/$1.said" >"$work/$1.judged"; cells "$3" "$work/$2.said" >"$work/$2.judged"
  [ "$(wc -l <"$work/$1.judged")" -ge "$4" ] || fail "$1: only $(wc -l <"$work/$1.judged") judged figures, not $4"
  still=$(paste -d '\n' "$work/$1.judged" "$work/$2.judged" | awk 'NR % 2 { one = $0; next } $0 == one' | head -n 1)
  [ -z "$still" ] || fail "$1, $2: judged on other data, '$still'"
}

# Leaves what a lesson decides on these data in $work/NAME.weights and .decided.
run() { # NAME PROGRAM FLAGS...
  name=$1 program=$programs/$2; shift 2
  "$program" "$@" --threads 1 --save "$work/model" --out "$work/out" >"$work/said" 2>&1 ||
    fail "$*: $(tail -n 1 "$work/said")"
  cells "$decided" "$work/said" >"$work/$name.decided"
  cp "$work/said" "$work/$name.said"
  weights "$work/model" "$work/$name.weights"
}
same() { cmp -s "$work/$1.weights" "$work/$2.weights" && cmp -s "$work/$1.decided" "$work/$2.decided"; }

# The last twentieth gets other letters.
head -c 57000 common/data/play.txt >"$work/learned"
{ cat "$work/learned"; tail -c 3000 common/data/play.txt; } >"$work/text"
{ cat "$work/learned"; tail -c 3000 common/data/play.txt | tr 'a-z' 'n-za-m'; } >"$work/noise"
while read -r judged flags; do
  # shellcheck disable=SC2086  # a program and its flags, here and below
  for text in text noise; do run $text $flags --text "$work/$text"; done
  same text noise || fail "$flags: the last twentieth of a text decides something"
  moved text noise "$text_judged" "$judged"
  case $flags in *--all*) grep -q '^Chosen \| chose ' "$work/text.decided" || fail "$flags: does not say what it chose" ;; esac
  tail -c 30000 common/data/play.txt >"$work/other"
  run other $flags --text "$work/other"
  ! same text other || fail "$flags: nothing depends on the text at all"
  run seeded $flags --text "$work/text" --seed 2
  ! cmp -s "$work/text.weights" "$work/seeded.weights" || fail "$flags: --seed changes nothing"
done <<'EOF'
1 lesson6 --recipe C --width 8 --heads 2 --context 8 --batch 4 --steps 5
10 lesson6 --part 5 --quick --all --steps 6 --width 8
20 lesson2 --part 6 --all --quick --steps 20
EOF
run decayed lesson2 --part 6 --all --quick --steps 20 --text "$work/text" --decay 1
! cmp -s "$work/text.weights" "$work/decayed.weights" || fail "lesson 2: --decay changes nothing"

# The lessons in one file print a loss and then write. Their tenth that judges may move only the loss.
head -c 54000 common/data/play.txt >"$work/learned"
rest() { tail -c 6000 common/data/play.txt | head -c 5990; }
{ cat "$work/learned"; rest; tail -c 10 common/data/play.txt; } >"$work/text"
{ cat "$work/learned"; rest | tr 'a-z' 'n-za-m'; tail -c 10 common/data/play.txt; } >"$work/noise"
for whole in lessons/*/whole.cpp; do
  # In four steps, judged after the last: lesson 2's takes their number, lesson 6's is changed.
  sed 's/steps = 1500/steps = 4/; s/% 300 != 299/% 4 != 3/' "$whole" >"$work/whole.cpp"
  ${CXX:-g++} -std=c++20 -O1 "$work/whole.cpp" -o "$work/whole" || fail "$whole: does not compile in four steps"
  for text in text noise other; do
    case $whole in *6_*) set -- bma "$work/$text" ;; *) set -- "$work/$text" 4 ;; esac
    "$work/whole" "$@" >"$work/said"
    grep 'nats' "$work/said" >"$work/$text.loss"; sed '/nats/d' "$work/said" >"$work/$text.written"
  done
  [ -s "$work/text.loss" ] && cmp -s "$work/text.written" "$work/noise.written" ||
    fail "$whole: what judges decides what is written"
  ! cmp -s "$work/text.loss" "$work/noise.loss" || fail "$whole: judged on what it was trained on"
  ! cmp -s "$work/text.written" "$work/other.written" || fail "$whole: nothing depends on the text at all"
done

# A fifth of a hundred images judges: those whose labels change no weight.
{
  printf '\000\000\010\003\000\000\000\144\000\000\000\002\000\000\000\002'
  awk 'BEGIN { for (k = 4; k < 404; ++k) printf "%c", k % 4 == int(k / 4) % 4 ? 120 : 33 + k * k % 50 }'
} >"$work/images"
labels() { # SPOILT [CLASSES]
  printf '\000\000\010\001\000\000\000\144'
  for image in $(seq 100); do
    case $1 in *" $image "*) spoilt=1 ;; *) spoilt=0 ;; esac
    printf "\\00$(((image % ${2:-4} + spoilt) % 4))"
  done
}
of_images() { # NAME PART FLAGS...
  of=$1 part=$2; shift 2
  run "$of" lesson5 --images "$work/images" --labels "$work/labels" --part "$part" --steps 40 "$@"
}
labels '' >"$work/labels"
of_images kept 6 --all
judges=' '
for k in $(seq 100); do
  labels " $k " >"$work/labels"
  of_images spoilt 6
  ! cmp -s "$work/kept.weights" "$work/spoilt.weights" || judges="$judges$k "
done
[ "$(echo "$judges" | wc -w)" -eq 20 ] || fail "lesson 5: the images that change no weight are '$judges', and no fifth"
for part in 6 8 9; do
  labels '' >"$work/labels"
  of_images kept $part --all
  labels "$judges" >"$work/labels"
  of_images spoilt $part --all
  same kept spoilt || fail "lesson 5, part $part: the images that judge decide something"
  moved kept spoilt "$image_judged" 3
  [ $part -ne 6 ] || cp "$work/kept.decided" "$work/rates"
done
grep -q 'rate: *[0-9.]' "$work/rates" || fail "lesson 5: no rate was found in what it prints"

# Lesson 6 learns seven tenths of a hundred images, one chooses a rate. Where all bear one label, those judge whose
# label, spoilt, is not right.
{
  printf '\000\000\010\003\000\000\000\144\000\000\000\004\000\000\000\004'
  awk 'BEGIN { for (k = 0; k < 1600; ++k) printf "%c", int(k % 16 / 4) == int(k / 16) % 4 ? 120 : 33 + k * k % 50 }'
} >"$work/images"
labels '' 1 >"$work/labels"
judges=' '
for k in $(seq 100); do
  labels " $k " 1 >"$work/labels"
  "$programs/lesson6" --images "$work/images" --labels "$work/labels" --part 9 --steps 2 --seeds 1 --threads 1 --out "$work/out" >"$work/said"
  cells right "$work/said" | grep -q ': 1\.0*' || judges="$judges$k "
done
[ "$(echo "$judges" | wc -w)" -eq 20 ] || fail "lesson 6: the images that change only what is right are '$judges', and no fifth"
for name in kept spoilt; do
  [ $name = kept ] && labels '' >"$work/labels" || labels "$judges" >"$work/labels"
  run $name lesson6 --images "$work/images" --labels "$work/labels" --part 9 --steps 25
done
same kept spoilt || fail "lesson 6, part 9: the images that judge decide something"
moved kept spoilt right 5
grep -q '^Chosen .*rate' "$work/kept.decided" || fail "lesson 6, part 9: does not say what it chose"
echo "test_leak: $failed failed"
[ $failed -eq 0 ]
