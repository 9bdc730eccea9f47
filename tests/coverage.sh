#!/bin/sh
# Which lines of common/ and of the lessons' models no test executes. Builds all with clang++ and counters, runs the tests,
# and prints each line that stayed at zero, unless tests/uncovered.txt says why it may; a lone brace is no line.
# Run: sh tests/coverage.sh, from the root. Exit status 1 where a line lacks a test and a reason; 77 where clang++,
# llvm-cov or cmake is not here.
# SPDX-License-Identifier: MIT
for tool in clang++ llvm-cov llvm-profdata cmake; do
  command -v $tool >/dev/null || { echo "SKIPPED: make coverage needs $tool, and it is not here."; exit 77; }
done
build=build/coverage jobs=$(nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
mkdir -p $build && rm -rf $build/raw || exit 1
cmake -S . -B $build -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS='-fprofile-instr-generate -fcoverage-mapping' >$build/log &&
  cmake --build $build -j "$jobs" >>$build/log || { tail -n 20 $build/log; exit 1; }
# One file for each program, to which all its runs add. What a failing test left out would look like a missing one.
LLVM_PROFILE_FILE=$(pwd)/$build/raw/%m.profraw ctest --test-dir $build -j "$jobs" >$build/tests ||
  { tail -n 20 $build/tests; exit 1; }
llvm-profdata merge -sparse $build/raw/*.profraw -o $build/all.profdata || exit 1
programs=$(find $build -maxdepth 1 -type f -perm -u+x | sed 's/^/-object /' | tr '\n' ' ')
# shellcheck disable=SC2086  # a list of programs
llvm-cov export -format=lcov -instr-profile $build/all.profdata ${programs#-object } 2>/dev/null >$build/lines
awk -v root="$(pwd)/" '
  FILENAME ~ /uncovered.txt$/ { if (split($0, part, " @ ") == 3) { ++reasons; of[reasons] = part[1]; text[reasons] = part[2] } next }
  /^SF:/ { file = substr($0, 4); sub(root, "", file); wanted = file ~ /^common\/|^lessons\/[^\/]*\/models\./; next }
  wanted && /^DA:/ { split(substr($0, 4), at, ","); ++lines; if (at[2] == 0) { ++missed; look(file, at[1]) } }
  function look(file, number,    k, line, n) {
    if (!(file in read)) { read[file] = 1; n = 0; while ((getline line < file) > 0) source[file, ++n] = line }
    line = source[file, number]
    if (line ~ /^ *}[;,)]*$/) return
    for (k = 1; k <= reasons; ++k) if (file == of[k] && (text[k] == "*" || index(line, text[k]))) return
    ++open; printf "%s:%d:%s\n", file, number, line
  }
  END { printf "%d of %d lines are executed by the tests; %d of the others have no reason.\n", lines - missed, lines, open; exit open > 0 }
' tests/uncovered.txt $build/lines
