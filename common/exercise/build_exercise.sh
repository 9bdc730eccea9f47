# What `make exercise1` compiles with, from the root: sh common/exercise/build_exercise.sh OBJECT ANSWER COMPILER FLAGS...
# Where the reader's header does not compile, an object takes its place that says so, with the compiler's first error, and
# the other exercises are checked; what is wrong with the course itself is an error.
# SPDX-License-Identifier: MIT
set -u
object=$1 answer=$2
shift 2
log=${object%.o}.log
mkdir -p "${object%/*}" || exit 1

if "$@" -I"${answer%/answers/*}/exercises" -c "$answer" -o "$object" 2>"$log"; then
  grep 'exercises/.*warning:' "$log" >&2
  exit 0
fi
lesson=${answer#*lessons/}
if ! "$@" -Ibuild/solutions/"${lesson%%/*}" -c "$answer" -o "$object" 2>/dev/null; then
  cat "$log" >&2
  exit 1
fi
why=$(sed -n 's/^\([^ :]*exercises\/[^ :]*:[0-9]*\):\([0-9]*:\)* \(fatal \)\{0,1\}error: \(.*\)/\1: \4/p' "$log" | head -n 1)
[ -n "$why" ] || why="the check cannot call it: $(sed -n 's/^.*error: //p' "$log" | head -n 1)"
said=$(sed -n 's/^static const Exercise here{\("[0-9.]*", ".*"\), check};.*/\1/p' "$answer")
printf '#include "common/exercise/exercise.hpp"\nstatic const exercise::Exercise here{%s, nullptr, R"why(%s)why"};\n' "$said" "$why" |
  "$@" -x c++ -c - -o "$object"
