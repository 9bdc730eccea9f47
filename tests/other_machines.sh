#!/bin/sh
# Builds the course for Windows (mingw-w64, run by wine) and for 64-bit ARM (run by qemu) as a tarball holds it, runs
# lesson 1 and the tests below there, and says a line for each. Exits with 77 where neither can be tried.
# Run: sh tests/other_machines.sh, from the root. Takes some minutes.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
git archive HEAD | { mkdir "$work/course" && tar -xf - -C "$work/course"; }
tests='test_core test_lesson test_lesson1'
tried=0

# Builds lesson 1 and the tests with cmake and runs them; qemu takes an hour for what lesson 1 trains, so not there.
try() { # NAME SUFFIX EMULATOR FLAGS_OF_LESSON_1 CMAKE_ARGS...
  name=$1 suffix=$2 emulator=$3 flags=$4 built=$work/$1; shift 4
  tried=$((tried + 1))
  # shellcheck disable=SC2086  # lists of names, here and below
  { cmake -S "$work/course" -B "$built" -DCMAKE_EXE_LINKER_FLAGS=-static "$@" &&
    cmake --build "$built" -j 2 --target lesson1 $tests; } >"$work/printed" 2>&1 ||
    { fail "$name: it does not compile: $(grep -m 1 error "$work/printed")"; return; }
  (cd "$work/course" && $emulator "$built/lesson1$suffix" $flags --out "$work/out") >"$work/printed" 2>&1 ||
    fail "$name: lesson 1: $(tail -n 1 "$work/printed")"
  claims=$(tr -d "\r" <"$work/printed" | grep "claims hold" | tail -n 1)
  for test in $tests; do
    (cd "$work/course" && $emulator "$built/$test$suffix") >"$work/printed" 2>&1
    case $? in 0 | 77) ;; *) fail "$name: $test: $(grep -m 1 FAIL "$work/printed" || tail -n 1 "$work/printed")" ;; esac
  done
  echo "$name: lesson 1: $claims $(echo "$tests" | wc -w) tests ran"
}
has() { for tool in "$@"; do command -v "$tool" >/dev/null || { echo "other machines: $tool is not here"; return 1; }; done; }

has cmake x86_64-w64-mingw32-g++-posix wine && WINEDEBUG=-all WINEPREFIX=$work/wine try Windows .exe wine '' \
  -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_CXX_COMPILER=x86_64-w64-mingw32-g++-posix
tests=$(echo "$tests" | sed 's/test_lesson //')  # which starts itself, and nobody but qemu can start it there
arm=$(command -v qemu-aarch64-static || echo qemu-aarch64)
has cmake aarch64-linux-gnu-g++ "$arm" && try ARM '' "$arm" --quick -DCMAKE_SYSTEM_NAME=Linux \
  -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++
[ $tried -gt 0 ] || exit 77
[ $failed -eq 0 ]
