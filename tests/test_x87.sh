#!/bin/sh
# A build with the old floating-point unit of x86, whose exp and tanh would be wrong, must be refused with the flag that
# helps. Run: sh tests/test_x87.sh COMPILER, from the root of the course. 77: this compiler has no such unit.
# SPDX-License-Identifier: MIT

compile() { echo "$2" | "$1" -std=c++20 -mfpmath=387 -I. -fsyntax-only -x c++ - 2>&1; }
compile "$1" '' >/dev/null || { echo "test_x87: skipped, $1 knows no -mfpmath=387"; exit 77; }
if compile "$1" '#include "common/support/elementary.hpp"' | grep -q 'build with -msse2 -mfpmath=sse'; then
  echo "test_x87: refused"
else
  echo "FAIL $1 -mfpmath=387 is not refused"
  exit 1
fi
