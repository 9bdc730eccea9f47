#!/bin/sh
# Turns each knob of a lesson's --help to both ends of its range, next to 0 and a step beyond, and
# all of a part to both ends together, with --quick. Within: a picture, no failing claim, NaN,
# infinity, endless number or stderr. Beyond: one line and exit status 2. Picture, sentences or tables
# of the bench must differ somewhere on the way, else the knob is dead.
# Run: sh tests/test_knobs.sh build/lesson1, from the root.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
program=$1 runs=0
i=0; while [ $i -lt 60 ]; do echo 'to be or not to be, that is the question'; i=$((i + 1)); done >"$work/text"

run() { # PART WORDS...
  runs=$((runs + 1)) part=$1; shift
  # shellcheck disable=SC2086,SC2048  # words
  timeout 60 "$program" --quick --part "$part" --threads 1 --out "$work/out" $* >"$work/printed" 2>"$work/said"
}
turn() { # PART WORDS...
  run "$@" && [ ! -s "$work/said" ] || fail "--part $*: $(head -n 1 "$work/said")"
  ! grep -Eiw -- '-?nan|-?inf|-?[0-9]{18,}(\.[0-9]*)?' "$work/printed" || fail "--part $*: a number is as good as none"
  [ "$#" -eq 2 ] && echo "$shared" | grep -qx -e "$(echo "$2" | sed 's/^--\([^ ]*\).*/\1/')" ||
    grep -q ' picture' "$work/printed" || fail "--part $*: no picture"
}
# What a bench shows.
shown() { # PART
  awk '/^<!-- [a-z]+ / { on = !/^<!-- (run|claim) / } on' "$work/out/results/$1.bench.html" | cksum
}
# Turns a knob to some values, and tells whether what is shown differs.
differs() { # PART NAME STANDARD VALUES...
  part=$1 name=$2 standard=$3; shift 3
  for value; do turn "$part" "--$name $(like "$value" "$standard")"; shown "$part"; done >"$work/seen"
  [ "$(sort -u "$work/seen" | wc -l)" -gt 1 ]
}
refuse() { # PART WORDS...
  run "$@"
  [ $? -eq 2 ] && [ "$(wc -l <"$work/said")" -eq 1 ] || fail "--part $* is not refused in one line"
}

# Prints each knob of a part, from its --help: name, kind, lowest, highest, standard.
knobs_of() {
  "$program" --part "$1" --help | awk '
    /^Knobs of part/ { on = 1; next }
    /^$/ { if (on) exit }
    on && /^  --/ { if (line) print line; line = $0; next }
    on { sub(/^ */, ""); line = line " " $0 }
    END { if (line) print line }' | sed 's/, /,/g' |
    sed -n 's/^  --\([a-z0-9-]*\) \([A-Z.,]*\) .*(\(.*\); \(.*\))$/\1 \2 \3 ; \4/p' |
    sed 's/ \([^ ]*\) to \([^ ]*\) ; / \1 \2 /; s/ \([^ ]*\) ; \(.*\)$/ \1 - \2/'
}

# Repeats a value as often as a list of numbers has numbers.
like() { echo "$2" | awk -F, -v value="$1" '{ for (k = 1; k <= NF; ++k) printf "%s%s", (k > 1 ? "," : ""), value }'; }

# Alone, a flag of the whole lesson turns nothing, and may exceed a part's knob of that name.
shared=$("$program" --help | sed -n 's/^  --\([a-z0-9-]*\) .*/\1/p')
for part in $(seq 0 15); do
  "$program" --part "$part" --help >"$work/help" 2>/dev/null || continue
  knobs_of "$part" >"$work/knobs"
  # All paper, all ink, one cell too few; a text, and a missing one.
  sed -n 's/^  --\([a-z-]*\) DIGITS .*(\([0-9]*\) x .*/\1 \2/p' "$work/help" >"$work/drawings"
  while read -r name side; do
    for ink in 0 9; do turn "$part" "--$name $(printf "%$((side * side))s" '' | tr ' ' $ink)"; done
    refuse "$part" "--$name $(printf "%$((side * side - 1))s" '' | tr ' ' 0)"
  done <"$work/drawings"
  [ -s "$work/knobs" ] || continue
  for name in $(sed -n '/^Knobs of part/,$ s/^  --\([a-z-]*\) FILE .*/\1/p' "$work/help"); do
    turn "$part" "--$name $work/text"
    refuse "$part" "--$name $work/no-such-text"
  done
  all_low='' all_high=''
  while read -r name kind low high standard; do
    if [ "$kind" = NAME ]; then
      # shellcheck disable=SC2046  # words
      differs "$part" "$name" - $(echo "$low" | tr , ' ') || fail "part $part: --$name is dead"
      refuse "$part" "--$name no-such-name"
      all_low="$all_low --$name ${low%%,*}" all_high="$all_high --$name ${low##*,}"
      continue
    fi
    ends="$low $high"  # a lesson's flag runs the whole part, quickest at its lowest
    echo "$shared" | grep -qx -e "$name" && ends=$low
    [ "$kind$low" != X0 ] || ends="$ends 1e-300 5e-324"
    between=$(awk -v a="$low" -v b="$high" -v whole="$kind" 'BEGIN {
      for (k = 1; k < 4; ++k) { at = a + k * (b - a) / 4; print whole ~ /^N/ ? int(at) : at } }')
    # shellcheck disable=SC2086  # words
    if echo "$shared" | grep -qx -e "$name"; then turn "$part" "--$name $ends"
    else differs "$part" "$name" "$standard" $ends || differs "$part" "$name" "$standard" $between ||
      fail "part $part: --$name is dead"; fi
    for beyond in $(awk -v a="$low" -v b="$high" 'BEGIN { print a - 1, b + 1 }'); do
      echo "$shared" | grep -qx -e "$name" || refuse "$part" "--$name $(like "$beyond" "$standard")"
    done
    all_low="$all_low --$name $(like "$low" "$standard")" all_high="$all_high --$name $(like "$high" "$standard")"
  done <"$work/knobs"
  turn "$part" "$all_low"
  turn "$part" "$all_high"
done

# Rounding and corners exceed what is checked.
case $program in *lesson1)
  turn 3 '--b2 -1e-160'
  turn 3 '--x 1e-80,1e-80 --w1 1e-9,.5,1,-1e-160 --b1 5e-324,-1.5 --w2 1e-9,1e-5 --b2 3 --target 3 --activation swish'
  turn 3 '--x 1e-9,1 --w1 -3,1e-80,-3,1e-9 --b1 .5,1e-160 --w2 3,1e-9 --b2 1e-160 --target 3' ;;
esac

case $program in *lesson3)  # a curve of one's own
  for curve in x 'x^3-x' 'tanh(2·x)-x²/8' '|x|' 'exp(-x*x)'; do turn 5 "--own $curve"; done
  for curve in 3 1/x '1e-300*x' 'sin(' y 'ln(x)' '(x,x)' 'exp(exp(x*x))' 'x+1e300'; do refuse 5 "--own $curve"; done ;;
esac

# README must state a part's training settings in the same words.
readme=$(cat "$(dirname "$0")/../lessons/$(basename "$program" | sed 's/lesson//')"_*/README.md | tr -s ' \n' ' ')
"$program" --settings >"$work/settings" && [ -s "$work/settings" ] || fail '--settings'
while IFS= read -r line; do
  runs=$((runs + 1))
  case $readme in *"${line#*: }"*) ;; *) fail "part $line: README says otherwise" ;; esac
done <"$work/settings"
echo "test_knobs $program: $runs runs, $failed failed"
[ "$runs" -gt 0 ] && [ "$failed" -eq 0 ]
