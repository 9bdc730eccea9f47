#!/bin/sh
# Runs each reader of tests/fuzz/fuzz.cpp for some seconds, from seeds that once found something;
# prints executions, edges reached, findings, and keeps findings in build/fuzz/findings. From the
# root: make fuzz SECONDS=60, or make fuzz READERS="json flags". Status 1 if something is found, 77
# without clang++ or its fuzzer.
# SPDX-License-Identifier: MIT
seconds=${1:-20} compiler=${2:-clang++} make=${3:-make}
case $seconds in '' | *[!0-9]* | 0) echo "SECONDS is a whole number of seconds, not '$seconds'." >&2; exit 2 ;; esac
mkdir -p build/fuzz
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >build/fuzz/none.cpp
"$compiler" -fsanitize=fuzzer,address,undefined build/fuzz/none.cpp -o build/fuzz/none 2>build/fuzz/errors ||
  { echo "SKIPPED: $compiler or its fuzzer is not here (Debian: clang, libclang-rt-dev)."; exit 77; }
"$make" --no-print-directory build/fuzz/fuzz || exit 1

findings=build/fuzz/findings
rm -rf "$findings" build/fuzz/corpus && mkdir -p "$findings" || exit 1
# What a header merely claims must not be allocated; 64 MB are a thousand times the largest input.
fuzz() { # READER
  mkdir -p "build/fuzz/corpus/$1"
  cp "tests/fuzz/seeds/$1"/* "build/fuzz/corpus/$1" 2>/dev/null
  log=$findings/$1.log finding=YES
  READER=$1 build/fuzz/fuzz -max_total_time="$seconds" -max_len=2048 -timeout=10 -rss_limit_mb=1024 \
    -malloc_limit_mb=64 -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$findings/$1-" \
    "build/fuzz/corpus/$1" >"$log" 2>&1 && finding=no
  printf '%-13s %11s %7s  %s\n' "$1" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
    "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)" $finding
  [ $finding = YES ] || rm "$log"
}
printf '%-13s %11s %7s  %s\n' reader executions edges finding
for reader in ${READERS:-$(READER='' build/fuzz/fuzz -runs=1 2>/dev/null)}; do fuzz "$reader"; done
rmdir "$findings" 2>/dev/null && exit 0
echo "What was found, and what was said about it: $findings"
exit 1
