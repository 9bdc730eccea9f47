#!/bin/sh
# Runs each harness of tests/fuzz/ for so many seconds, as many at a time as there are processors, and prints a line for
# each: executions, executions a second, edges reached, findings. An input that finds something is kept, with what was
# said about it, in build/fuzz/findings. From the root: make fuzz SECONDS=60, or make fuzz HARNESSES="json text".
# Exit status 1 when something is found, 77 when clang++ or its fuzzer is not here.
# SPDX-License-Identifier: MIT
seconds=${1:-20} compiler=${2:-clang++} make=${3:-make}
case $seconds in '' | *[!0-9]* | 0) echo "SECONDS is a whole number of seconds, not '$seconds'." >&2; exit 2 ;; esac
command -v "$compiler" >/dev/null || { echo "SKIPPED: make fuzz needs clang++, and $compiler is not here."; exit 77; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$work/none.cpp"
"$compiler" -fsanitize=fuzzer,address,undefined "$work/none.cpp" -o "$work/none" 2>"$work/errors" ||
  { echo "SKIPPED: $compiler is here, its fuzzer is not (Debian: libclang-rt-dev or libfuzzer-dev)."; tail -n 3 "$work/errors"; exit 77; }

"$make" --no-print-directory fuzz-harnesses || exit 1
findings=build/fuzz/findings
rm -rf "$findings" && mkdir -p "$findings" || exit 1
names=${HARNESSES:-$(ls tests/fuzz/*.cpp | sed 's,.*/,,; s/\.cpp$//')}

# What a header merely claims must not be allocated: 64 MB are a thousand times the largest input and more.
fuzz() { # NAME
  mkdir -p "$work/$1"
  cp tests/fuzz/seeds/"$1"/* "$work/$1" 2>/dev/null
  "build/fuzz/$1" -max_total_time="$seconds" -max_len=2048 -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=64 \
    -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$findings/$1-" "$work/$1" >"$work/$1.log" 2>&1
  echo $? >"$work/$1.status"
}

report() { # NAME
  last() { sed -n "$2" "$work/$1.log" | tail -n 1; }
  found=no
  [ "$(cat "$work/$1.status")" -eq 0 ] || { found=YES; cp "$work/$1.log" "$findings/$1.log"; }
  printf '%-13s %11s %9s %7s  %s\n' "$1" "$(last "$1" 's/^stat::number_of_executed_units: *//p')" \
    "$(last "$1" 's/^stat::average_exec_per_sec: *//p')" "$(last "$1" 's/.* cov: \([0-9]*\) .*/\1/p')" "$found"
}

processors=$(nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
printf '%-13s %11s %9s %7s  %s\n' harness executions 'a second' edges finding
batch=
for name in $names ''; do
  [ -z "$name" ] || { fuzz "$name" & batch="$batch $name"; }
  # shellcheck disable=SC2086  # a list of names
  if [ -z "$name" ] || [ "$(echo $batch | wc -w)" -ge "$processors" ]; then
    wait
    for done in $batch; do report "$done"; done
    batch=
  fi
done
rmdir "$findings" 2>/dev/null && exit 0
echo "What was found, and what was said about it: $findings"
exit 1
