#!/bin/sh
# Which lines of common/ and of the lessons' models no test executes. Builds all with clang++ and counters, runs the tests,
# and prints each line that stayed at zero, unless tests/uncovered.txt says why it may: "FILE @ TEXT OF THE LINE @ REASON",
# where the text is a part of the line (of a lone } the whole, but for a ; or , behind it), or "FILE @ * @ REASON".
# Run: sh tests/coverage.sh, from the root. Exit status 1 where a line lacks a test and a reason, or a reason its line; 77
# where clang++, llvm-cov or cmake is not here.
# SPDX-License-Identifier: MIT
for tool in clang++ llvm-cov llvm-profdata cmake; do
  command -v $tool >/dev/null || { echo "SKIPPED: make coverage needs $tool, and it is not here."; exit 77; }
done
build=build/coverage
jobs=$(nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
mkdir -p $build && rm -rf $build/raw || exit 1
cmake -S . -B $build -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS='-fprofile-instr-generate -fcoverage-mapping' >$build/log &&
  cmake --build $build -j "$jobs" >>$build/log || { tail -n 20 $build/log; exit 1; }

# One file for each program, to which all its runs add. What a failing test left out would look like a missing one.
LLVM_PROFILE_FILE=$(pwd)/$build/raw/%m.profraw ctest --test-dir $build -j "$jobs" -E 'bench_limit|memory' >$build/tests ||
  { tail -n 20 $build/tests; exit 1; }
llvm-profdata merge -sparse $build/raw/*.profraw -o $build/all.profdata || exit 1

programs=
for program in $build/lesson[0-9] $build/exercise[0-9] $build/solution[0-9] $build/test_*; do
  [ ! -x "$program" ] || programs="$programs -object $program"
done
# shellcheck disable=SC2086  # a list of programs
llvm-cov export -format=lcov -instr-profile $build/all.profdata ${programs# -object } 2>/dev/null >$build/lines

awk -v root="$(pwd)/" '
  FILENAME ~ /uncovered.txt$/ { if ($0 !~ /^#/ && split($0, part, " @ ") == 3) { ++reasons; file_of[reasons] = part[1]; text_of[reasons] = part[2]; line_of[reasons] = $0 } next }
  /^SF:/ { file = substr($0, 4); sub(root, "", file); wanted = file ~ /^common\/|^lessons\/[^\/]*\/model\//; next }
  wanted && /^DA:/ { split(substr($0, 4), at, ","); ++lines; if (at[2] == 0) { ++missed; look(file, at[1]) } }
  function look(file, number,    k, text, n) {
    if (!(file in read)) { read[file] = 1; n = 0; while ((getline text < file) > 0) source[file, ++n] = text }
    text = source[file, number]
    for (k = 1; k <= reasons; ++k)
      if (file == file_of[k] && (text_of[k] == "*" || (text_of[k] == "}" ? text ~ /^ *}[;,]?$/ : index(text, text_of[k])))) { used[k] = 1; ++explained; return }
    ++open; printf "%s:%d:%s\n", file, number, text
  }
  END {
    for (k = 1; k <= reasons; ++k) if (!used[k]) { ++stale; print "its line is executed, or gone: " line_of[k] }
    printf "%d of %d lines are executed by the tests; of the other %d, %d have a reason.\n", lines - missed, lines, missed, explained
    exit open + stale > 0
  }' tests/uncovered.txt $build/lines
