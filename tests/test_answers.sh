#!/bin/sh
# How answers are built and given back: one that does not compile spoils only its own exercise, and `make reset` keeps the
# reader's. Run: sh tests/test_answers.sh COMPILER, from the root.
# SPDX-License-Identifier: MIT
set -u
compiler=$1
root=$(pwd) failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAIL $1"
  failed=$((failed + 1))
}

# A lesson of two exercises, each a number; the check prints both.
lesson=$work/lessons/9_small
mkdir -p "$lesson/exercises" "$lesson/answers/solutions"
for number in 1 2; do
  echo "namespace ex9_$number { inline int answer() { return 0; } }  // TODO" >"$lesson/exercises/ex9_${number}_a.hpp"
  echo "namespace ex9_$number { inline int answer() { return 7; } }" >"$lesson/answers/solutions/ex9_${number}_a.hpp"
done
cat >"$lesson/answers/check.cpp" <<'END'
#include <cstdio>
#include <ex9_1_a.hpp>
#include <ex9_2_a.hpp>
int main() { std::printf("%d %d\n", ex9_1::answer(), ex9_2::answer()); }
END

cd "$work" || exit 1
build() {
  sh "$root/common/support/build_exercises.sh" ./program lessons/9_small "$compiler" -std=c++20 -MMD -MF program.d -- \
    lessons/9_small/answers/check.cpp
}
given=$(cat lessons/9_small/exercises/ex9_1_a.hpp)
answer() { echo "$1" >lessons/9_small/exercises/ex9_1_a.hpp; }

# What the first exercise holds, what the program then prints, and what is said of it.
expect() { # NAME ANSWER PRINTED BROKEN
  answer "$2"
  build 2>errors || fail "$1: does not build: $(head -n 3 errors)"
  [ "$(./program)" = "$3" ] || fail "$1: the program prints '$(./program)', not '$3'"
  case $(cat program.broken) in
  $4) ;;
  *) fail "$1: said is '$(cat program.broken)'" ;;
  esac
}
expect 'as it was given' "$given" '0 0' ''
expect 'a word that is not known' 'namespace ex9_1 { inline int answer() { return x; } }' '7 0' \
  '9.1 lessons/9_small/exercises/ex9_1_a.hpp:1: *x*'
expect 'a brace too few' 'namespace ex9_1 { inline int answer() { return 1; }' '7 0' \
  '9.1 lessons/9_small/exercises/ex9_1_a.hpp:*'
echo 'a copy' >"lessons/9_small/exercises/ex9_1_a copy.hpp"
expect 'a copy beside it' 'namespace ex9_1 { inline int answer() { return x; } }' '7 0' \
  '9.1 lessons/9_small/exercises/ex9_1_a.hpp:1: *x*'
rm "lessons/9_small/exercises/ex9_1_a copy.hpp"
expect 'another name' 'namespace ex9_1 { inline int reply() { return 1; } }' '7 0' '9.1 the check cannot call it: *answer*'
grep -q '^./program: .*ex9_1_a.hpp' program.d || fail 'make does not hear of what is mended next'
grep -q '^./program: .*ex9_2_' program.d || fail 'make does not hear of what another exercise becomes meanwhile'
expect 'mended' 'namespace ex9_1 { inline int answer() { return 1; } }' '1 0' ''

# What is wrong with no answer is not hidden.
echo 'nonsense' >>lessons/9_small/answers/check.cpp
! build 2>errors && grep -q nonsense errors || fail 'a check that does not compile must fail, and say why'

# The exercise as it was given, from what git remembers.
if command -v git >/dev/null; then
  commit() { git -c user.name=a -c user.email=a@b commit -qam "$1"; }
  answer "$given"
  git init -q . && git add -A && commit given
  reset() { sh "$root/common/support/exercise.sh" reset 9.1 2>&1; }
  case $(reset) in *'as it was given.') ;; *) fail "nothing to give back: $(reset)" ;; esac
  answer mine && commit mine && answer more && reset >said || fail "reset: $(cat said)"
  [ "$(cat lessons/9_small/exercises/ex9_1_a.hpp)" = "$given" ] || fail 'reset does not give the exercise back'
  [ "$(cat lessons/9_small/exercises/ex9_1_a.hpp.mine)" = more ] || fail "the reader's answer is lost"
  answer again && reset >said && [ "$(cat lessons/9_small/exercises/ex9_1_a.hpp.mine.mine)" = again ] &&
    [ "$(cat lessons/9_small/exercises/ex9_1_a.hpp.mine)" = more ] || fail 'an answer that was kept is lost'
fi
rm -rf .git
sh "$root/common/support/exercise.sh" reset 9.1 >said 2>&1
[ $? -eq 2 ] && [ "$(wc -l <said)" -eq 1 ] || fail "without git: one line and exit status 2: $(cat said)"

echo "answers: $failed checks failed"
[ "$failed" -eq 0 ]
