#!/bin/sh
# Misprints in a README, and a formula that stops the binding, are told with number and line by a
# whole run, which fails; the other equations keep their marks, and the page is written.
# Run: sh tests/test_misprints.sh build/lesson4, from the root.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
program=$(cd "$(dirname "$1")" && pwd)/lesson4

# The copied program looks for its README beside this file.
folder=$(basename lessons/4_*)
mkdir -p "$work/build" "$work/lessons"
cp lessons/CLOSING.md "$work/lessons/" && cp -R "lessons/$folder" "$work/lessons/" && cp "$program" "$work/build/"
misprinted() { # SED_SCRIPT WORDS...: the run fails, says this, and shows the other equations
  sed "$1" "lessons/$folder/README.md" >"$work/lessons/$folder/README.md"
  shift
  "$work/build/lesson4" --quick --out "$work/out" >"$work/printed" 2>"$work/said"
  [ $? -eq 1 ] || fail "$1: exit status"
  for words in "$@"; do tr -s '\n ' '  ' <"$work/printed" | grep -q -F "$words" || fail "is not said: $words"; done
  [ "$(grep -c 'in the code; runs: equal' "$work/out/index.html")" -ge 9 ] || fail "$1: the other equations lost their marks"
}
line=$(grep -n '^H = P ⊙ Q ' "lessons/$folder/README.md" | sed 's/:.*//')
misprinted 's/^H = P ⊙ Q /H = P ⊙ P /' "(4.4), README.md, line $line: H = P ⊙ P: differs by"
misprinted 's/^H = P ⊙ Q /H = P ⊙ Wq/' "(4.4), README.md, line $line: H = P ⊙ Wq: there is no Wq here" 'derivation 4.1: there is no Wq here'
misprinted 's/^H = P ⊙ Q .*/H = P ⊙ (4.4)/' '(4.4): README.md has no formula of that number that can be read'
misprinted 's/^dU = Hᵀ·dY /dU = H·dY /' '(4.5) back'
[ $failed -eq 0 ]
