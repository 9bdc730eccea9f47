#!/bin/sh
# Spoils what is no gradient, one place at a time, and demands that a test notices: the rest of `make mutants`. Each line of
# tests/slips.txt is a file, a test, what stands there and what a slip would put there, with " @ " between. The spoiled file
# lies under build/slips in front of the tree; the tree itself is never touched.
# Run: sh tests/slips.sh COMPILER [WORD], from the root, after make has built the lessons; WORD: only the lines that hold it.
# Exit status 1 when a slip survives, or a line of the list finds its place not once.
# SPDX-License-Identifier: MIT
compiler=$1
shop=build/slips
flags='-std=c++20 -O1 -w -D_GLIBCXX_ASSERTIONS -pthread'
rm -rf $shop && mkdir -p $shop || exit 1
made=0 survived=0 wrong=0

# Puts the slip in the place of what stands there; fails unless that stands there once.
spoil() { # FILE RIGHT WRONG >SPOILED
  right=$2 slip=$3 awk 'BEGIN { right = ENVIRON["right"]; slip = ENVIRON["slip"] }
    { while ((at = index($0, right)) > 0) { ++found; printf "%s%s", substr($0, 1, at - 1), slip; $0 = substr($0, at + length(right)) } print }
    END { exit found != 1 }' "$1"
}

objects() { # TEST: what it is linked with, but for itself
  echo build/common/*/*.o | tr ' ' '\n' | grep -v check_exercises
  for lesson in $(echo "$1" | tr _ '\n' | sed -n 's/^lesson//p'); do ls build/lessons/"$lesson"_*/models.o build/lessons/"$lesson"_*/model/*.o build/lessons/"$lesson"_*/run/*.o 2>/dev/null; done
}

try() { # NUMBER FILE TEST RIGHT WRONG; its verdict in the folder
  folder=$shop/$1
  mkdir -p "$folder/$(dirname "$2")"
  spoil "$2" "$4" "$5" >"$folder/$2" || { echo wrong >"$folder/verdict"; return; }
  # A header is read by the test; another file is an object in the place of the good one.
  case $2 in
    *.hpp) source=tests/$3.cpp good=none ;;
    *) source=$folder/$2 good=build/${2%.cpp}.o ;;
  esac
  # shellcheck disable=SC2046,SC2086  # lists
  $compiler $flags -I"$folder" -I. -c "$source" -o "$folder/spoiled.o" >"$folder/log" 2>&1 || { echo refused >"$folder/verdict"; return; }
  test_object=$folder/spoiled.o
  [ "$good" = none ] || test_object="$folder/spoiled.o $shop/$3.o"
  # shellcheck disable=SC2046,SC2086
  $compiler $test_object $(objects "$3" | tr ' ' '\n' | grep -v -x -F "$good") -pthread -o "$folder/test" >"$folder/log" 2>&1 ||
    { echo refused >"$folder/verdict"; return; }
  if (ulimit -t 60; "$folder/test") >"$folder/printed" 2>&1; then echo survived; else echo caught; fi >"$folder/verdict"
  rm -f "$folder/test" "$folder/spoiled.o"
}

# The unspoiled tests once, which must pass; then two slips at a time.
grep -v '^#' tests/slips.txt | grep -F -e "${2:- @ }" >$shop/list
for name in $(sed 's/^[^@]* @ \([a-z0-9_]*\) @ .*/\1/' $shop/list | sort -u); do
  $compiler $flags -I. -c "tests/$name.cpp" -o "$shop/$name.o" || exit 1
  # shellcheck disable=SC2046  # a list of files
  $compiler "$shop/$name.o" $(objects "$name") -pthread -o "$shop/unspoiled" || exit 1
  (ulimit -t 60; "$shop/unspoiled") >"$shop/printed" 2>&1 || { echo "FAILS UNSPOILED $name"; tail -n 5 "$shop/printed"; exit 1; }
done
half() { # ODD
  number=0
  while IFS= read -r line; do
    number=$((number + 1))
    [ $((number % 2)) -eq "$1" ] || continue
    file=${line%% @ *} rest=${line#* @ }
    name=${rest%% @ *} rest=${rest#* @ }
    try $number "$file" "$name" "${rest%% @ *}" "${rest#* @ }"
  done <$shop/list
}
half 1 &
half 0
wait
number=0
while IFS= read -r line; do
  number=$((number + 1)) made=$((made + 1))
  case $(cat $shop/$number/verdict) in
    caught) ;;
    survived) survived=$((survived + 1)); echo "SURVIVES $line" ;;
    *) wrong=$((wrong + 1)); echo "NO SLIP $line"; head -n 3 $shop/$number/log 2>/dev/null ;;
  esac
done <$shop/list
echo "slips: $made made, $survived survive, $wrong do not fit"
[ $((survived + wrong)) -eq 0 ]
