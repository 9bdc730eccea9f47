#!/bin/sh
# A lesson is one compiler call that one can type. Types the call that README.md shows, in which the compiler has nothing to
# say, and runs what it makes. By night: sh tests/test_one_call.sh COMPILER, from the root; it takes one or two minutes.
# SPDX-License-Identifier: MIT
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
call=$(sed -n '/^g++ -std=c++20/,/^```/p' README.md | sed '/^```/d; s/\\$//' | tr '\n' ' ')
case $call in
"g++ "*" -o lesson1 "*) ;;
*) echo "test_one_call: README.md shows no such call, but: $call"; exit 1 ;;
esac
call=$(echo "$call" | sed "s|^g++|$1|; s| -o lesson1| -o $work/lesson1|")
echo "$call"
eval "$call" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
[ ! -s "$work/said" ] || { echo 'test_one_call: the compiler said'; head -n 40 "$work/said"; exit 1; }
"$work/lesson1" --part 4 --quick --out "$work/out" | tail -n 5 | grep 'claims hold'
