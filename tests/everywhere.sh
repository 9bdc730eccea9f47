#!/bin/sh
# Tries the course with the compilers, on the processors and in the places that a Debian machine can stand in for, and
# prints a line for each: how many warnings, the claims of the lessons under --quick, the tests, and whether a model that
# was stored on either side is read on the other. What needs a tool that is not here says so. From the root:
# make everywhere, or sh tests/everywhere.sh TARGET... Exit status 1 when a line fails, 77 when none could be tried.
# SPDX-License-Identifier: MIT
[ $# -gt 0 ] || set -- g++-11 g++-12 clang++-14 g++ clang++ O0 plain windows s390x i686 wasm
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tried=0 failed=0 suffix='' jobs=$(nproc 2>/dev/null || echo 2)

# The tree as a tarball holds it: no git, no build.
unpack() { mkdir -p "$1" && { git ls-files 2>/dev/null || find . -path ./build -prune -o -type f -print; } | tar -cf - -T - | tar -xf - -C "$1"; }
source=$work/course
unpack "$source"
row() { printf '%-11s %-9s %-16s %-10s %s\n' "$@"; }
fail() { failed=$((failed + 1)); row "$1" FAIL "$2" '' ''; tail -n 12 "$work/printed"; }

# Runs the lessons under --quick, and says how many claims were made; the program fails where one does not hold.
claims() { # LESSONS FLAGS
  made=0
  for n in $1; do
    # shellcheck disable=SC2086  # an emulator is a command with its flags
    $emulator "$build/lesson$n$suffix" --quick $2 --out "$work/out" >"$work/printed" 2>&1 || return 1
    counts=$(tr -d '\r' <"$work/printed" | sed -n 's/^[0-9]* of \([0-9]*\) claims hold.*/\1/p' | tail -n 1)
    [ -n "$counts" ] && made=$((made + counts)) || return 1
  done
}

# A model of lesson 2, stored there and here, must write here and there; there, over an existing file, too.
files() {
  small='--context 2 --dim 2 --hidden 5 --steps 5 --sample 5'
  # shellcheck disable=SC2086
  for there in "$work/there" "$work/there"; do $emulator "$build/lesson2$suffix" $small --save "$there" || return 1; done &&
    build/lesson2 $small --save "$work/here" && build/lesson2 --load "$work/there" --sample 20 &&
    $emulator "$build/lesson2$suffix" --load "$work/here" --sample 20
}

# Builds by cmake in a folder of its own, and runs what was built.
try() { # NAME EMULATOR LESSONS FLAGS TESTS CMAKE_ARGS...
  name=$1 emulator=$2 lessons=$3 flags=$4 tests=$5 build=$work/$1.build; shift 5
  tried=$((tried + 1))
  wanted=$tests; for n in $lessons; do wanted="$wanted lesson$n"; done
  # shellcheck disable=SC2086
  { cmake -S "$source" -B "$build" "$@" && cmake --build "$build" -j "$jobs" --config Release --target $wanted; } \
    >"$work/built" 2>&1 || { cp "$work/built" "$work/printed"; fail "$name" 'it does not compile'; return; }
  warned=$(grep -c 'warning:' "$work/built")
  [ "$warned" -eq 0 ] || { grep 'warning:' "$work/built" >"$work/printed"; fail "$name" "$warned warnings"; return; }
  claims "$lessons" "$flags" || { fail "$name" "lesson $n"; return; }
  for test in $tests; do
    # shellcheck disable=SC2086
    $emulator "$build/$test$suffix" >"$work/printed" 2>&1
    case $? in 0 | 77) ;; *) fail "$name" "$test"; return ;; esac
  done
  stored=-
  case " $lessons " in *' 2 '*) files >"$work/printed" 2>&1 || { fail "$name" 'models of two sides'; return; }; stored='both ways' ;; esac
  row "$name" "$warned" "$made hold" "$(echo "$tests" | wc -w) pass" "$stored"
  rm -rf "$build"
}

some='test_text test_safetensors test_elementary test_product test_lesson'
all='1 2 3 4 5 6'
foreign() { # PROCESSOR EMULATOR LESSONS FLAGS TESTS [CMAKE_ARGS...]
  processor=$1; shift
  try "$processor" "$1" "$2" "$3" "$4" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$processor" \
    -DCMAKE_CXX_COMPILER="$processor-linux-gnu-g++" -DCMAKE_EXE_LINKER_FLAGS=-static ${5:+"$5"}
}
web() {
  tried=$((tried + 1))
  (cd "$source" && make web && for n in $all; do node tests/wasm.mjs "build/wasm/lesson$n.js" --quick || exit 1; done) \
    >"$work/printed" 2>&1 && row wasm - 'lessons run' '' '' || fail wasm ''
}
needs() { # TARGET: the tools without which it cannot be tried
  case $1 in
    windows) echo x86_64-w64-mingw32-g++-posix wine ;;
    s390x) echo s390x-linux-gnu-g++ qemu-s390x ;;
    i686) echo i686-linux-gnu-g++ ;;
    wasm) echo em++ node ;;
    g++* | clang*) echo "$1" ;;
  esac
}

row target warnings 'claims, quick' tests files
for target in "$@"; do
  missing=''
  for tool in cmake $(needs "$target"); do command -v "$tool" >/dev/null || missing=$tool; done
  [ -z "$missing" ] || { row "$target" "- $missing is not here" '' '' ''; continue; }
  case $target in
    g++* | clang*) try "$target" '' "$all" '' "$some" -DCMAKE_CXX_COMPILER="$target" ;;
    O0) try -O0 '' "$all" '' "$some" -DCMAKE_CXX_FLAGS_RELEASE=-O0 -Dknows_O3=0 ;;
    plain) try 'no -march' '' "$all" '' "$some" -Dknows_march_native=0 ;;
    windows)
      suffix=.exe
      WINEDEBUG=-all WINEPREFIX=$work/wine try windows wine "$all" '' 'test_lesson test_safetensors' \
        -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_CXX_COMPILER=x86_64-w64-mingw32-g++-posix -DCMAKE_EXE_LINKER_FLAGS=-static
      suffix='' ;;
    # Big-endian with unsigned char; 32 bits with SSE.
    s390x) foreign s390x qemu-s390x 2 '--part 3' 'test_safetensors test_elementary test_text' ;;
    i686) foreign i686 '' '1 2' '' "$some" -DCMAKE_CXX_FLAGS='-msse2 -mfpmath=sse' ;;
    wasm) web ;;
    *) echo "everywhere: there is no target $target" >&2; exit 2 ;;
  esac
done
echo "$tried tried, $failed failed"
[ "$tried" -gt 0 ] || exit 77
[ "$failed" -eq 0 ]
