#!/bin/sh
# Puts lesson programs to too little memory, limits on files (like a full disk), kills while saving,
# and two runs in one folder. A program survives if it does what was asked or says in one line why
# not, leaves no temporary file, and every file is whole, old or new. Exit status 1 if one does not.
# From the root: make faults. Linux.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/shell.sh"
programs=$(cd "${1:-build}" && pwd) || exit 1

# WHAT | PROGRAM | FLAGS | THE FILES THAT IT MAY REPLACE
small='--context 2 --dim 2 --hidden 5 --threads 1 --text short'
tiny='--width 8 --heads 2 --context 8 --batch 4 --threads 1 --text short --out page'
subjects="lesson 2 saves|lesson2|$small --steps 2 --sample 1 --save m2|m2
lesson 5 saves|lesson5|--threads 1 --quick --part 3 --steps 2 --save m5 --out page|m5
lesson 6 saves|lesson6|$tiny --recipe C --steps 2 --save m6|m6
lesson 1 exports|lesson1|--export one|one
lesson 4, its page|lesson4|--quick --part 1 --threads 1 --out page|page/index.html"

# Runs $program $flags in $box behind the given words; its output lies there in said and printed.
run() { (cd "$box" && timeout 120 "$@" "$programs/$program" $flags >printed 2>said); }
fresh() { rm -rf "$1" && cp -r "$work/origin" "$1"; }
restore() { for file in $kept; do cp "$work/origin/$file" "$box/$file"; done; }

# Counts a try that ended with this status, and its problem, if any.
try() { # STATUS WHERE
  problem=
  case $1 in
    0) [ ! -s "$box/said" ] || problem="said $(head -c 200 "$box/said")" ;;
    1 | 2)
      [ "$(wc -l <"$box/said")" -eq 1 ] && grep -q "^$program: " "$box/said" ||
        problem="status $1, $(head -c 200 "$box/said")"
      ;;
    killed) find "$box" -name '*.tmp' -exec rm {} + ;; # which a kill must leave
    *) problem="status $1, $(head -c 200 "$box/said")" ;;
  esac
  [ -z "$(find "$box" -name '*.tmp')" ] || problem="$problem; left a temporary file"
  for file in $kept; do
    if cmp -s "$box/$file" "$work/origin/$file" || cmp -s "$box/$file" "$work/after/$file"; then continue; fi
    case $file:$(tail -n 1 "$box/$file") in *.html:*'</html>') continue ;; esac
    problem="$problem; $file is neither old nor new"
  done
  tried=$((tried + 1))
  [ -z "$problem" ] && survived=$((survived + 1)) || first=${first:-"$2: $problem"}
}

# Puts a fault to each subject, in a box with the subject's files.
put() { # FAULT_IN_WORDS FUNCTION
  echo "$subjects" >"$work/subjects"
  while IFS='|' read -r what program flags kept <&3; do
    tried=0 survived=0 first='' box=$work/box
    fresh "$box"
    fresh "$work/after"
    (box=$work/after; run env) || { echo "$what, even without a fault: $(cat "$work/after/said")"; exit 1; }
    $2
    mark=
    [ "$tried" -gt 0 ] && [ "$tried" -eq "$survived" ] || { mark=FAIL; failed=$((failed + 1)); }
    printf '%-30s %-20s %6d %9d  %s\n' "$1" "$what" $tried $survived "$mark"
    [ -z "$first" ] || echo "  $first"
  done 3<"$work/subjects"
}

# From the least that starts to the least that suffices. A runtime that cannot even throw aborts,
# and files stay.
little_memory() {
  for kilobytes in $(seq 5000 40 9000); do
    (ulimit -v "$kilobytes"; run env) 2>/dev/null
    status=$?
    [ $status -ne 134 ] || status=killed
    [ $status = 127 ] || try $status "$kilobytes KB"
    restore
  done
}

# In blocks of 512 bytes. A program whose message does not fit its file is excused.
limited() {
  for blocks in 0 1 2 4 8 16 32 64 128; do
    (ulimit -f "$blocks"; run env) 2>/dev/null
    status=$?
    [ "$blocks" -gt 0 ] || [ $status -ne 2 ] || echo "$program: " >"$box/said"
    try $status "$blocks blocks"
    restore
  done
}

# Killed just before or after it saves, it leaves the old file or the new.
kills() {
  for k in $(seq 50); do
    (cd "$box" && exec "$programs/$program" $flags >printed 2>said) &
    sleep "0.0$((k * 37 % 100))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    try killed "kill $k"
    [ $((k % 10)) -ne 0 ] || restore
  done
}

# Two seeds, so that a mixed file is neither.
two_at_once() {
  for k in $(seq 20); do
    case $flags in *--export*) other= ;; *) other='--seed 2' ;; esac
    (cd "$box" && "$programs/$program" $flags $other >/dev/null 2>said2) &
    run env
    status=$?
    wait $!
    cat "$box/said2" >>"$box/said"
    try $status "pair $k"
  done
}

mkdir -p "$work/origin/page"
echo old | tee "$work/origin/one" >"$work/origin/page/index.html"
head -c 6000 "$programs/../common/data/play.txt" >"$work/origin/short"
echo "$subjects" | grep saves | while IFS='|' read -r what program flags kept; do
  box=$work/origin flags="$flags --seed 2"
  run env || { echo "$what: $(cat "$box/said")"; exit 1; }
done || exit 1
printf '%-30s %-20s %6s %9s\n' fault 'put to' tried survived
put 'memory of 5 to 9 MB' little_memory
put 'files of at most 0 to 64 KB' limited
put 'a kill while it saves' kills
put 'two runs in one folder' two_at_once
[ $failed -eq 0 ]
