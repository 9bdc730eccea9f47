#!/bin/sh
# Executes the READMEs' formulas: all equal what the program holds, the others are spoken of, and at
# least 85 of 100 run.
# Run: sh tests/test_equations.sh BUILD, from the root. Exit status 1 if any of this fails.
# SPDX-License-Identifier: MIT
for n in 1 2 3 4 5 6; do
  "$1/lesson$n" --equations || echo "lesson $n: exit status $?"
done | awk '
  / of [0-9]+ lines of formulas run/ { ran += $1; all += $3; ++lessons }
  /exit status/ || /not equal/ && !/; 0 are not equal, 0 are not/ { print; failed = 1 }
  END {
    printf "%d of %d lines of formulas run, in %d lessons\n", ran, all, lessons
    exit failed || lessons != 6 || ran < .85 * all
  }'
