#!/bin/sh
# Tries the course with the compilers, on the processors and in the places that a Debian machine can stand in for, and
# prints a line for each: whether it compiles, how many warnings, the claims of the lessons under --quick, the tests, and
# whether a model that was stored on either side is read on the other. From the root:
# make everywhere, or sh tests/everywhere.sh TARGET... What needs a tool that is not here says so. Exit status 1 when a
# line fails, 77 when no line could be tried.
# SPDX-License-Identifier: MIT
all='g++-11 g++-12 g++ clang++-14 clang++ libc++ O0 plain windows s390x i686 aarch64 riscv64 wasm
  autocrlf space umlaut ninja multi makefiles readonly bmake'
[ $# -gt 0 ] || set -- $all
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tried=0 failed=0

# The tree as a tarball holds it: no git, no build.
unpack() { mkdir -p "$1" && { git ls-files 2>/dev/null || find . -path ./build -prune -o -type f -print; } | tar -cf - -T - | tar -xf - -C "$1"; }
has() { for tool; do command -v "$tool" >/dev/null || { absent=$tool; return 1; }; done; }
newest() { ls /usr/bin | grep -x "$1-[0-9]*" | sort -t - -k 2n | tail -n 1; }

row() { # TARGET COMPILES WARNINGS CLAIMS TESTS FILES
  printf '%-11s %-9s %-9s %-16s %-10s %s\n' "$@"
}
absent() { row "$1" "- $2 is not here" '' '' '' ''; }

# Runs the lessons under --quick: "58 of 58", or the first that fails.
claims() { # BUILD EMULATOR LESSONS [FLAGS]
  held=0 made=0
  for n in $3; do
    # shellcheck disable=SC2086  # an emulator is a command with its flags
    if ! $2 "$1/lesson$n$suffix" --quick $4 --out "$work/out" >"$work/printed" 2>"$work/errors"; then
      echo "FAIL lesson$n"; cp "$work/printed" "$work/errors" "$log"; return
    fi
    counts=$(tr -d '\r' <"$work/printed" | sed -n 's/^\([0-9]*\) of \([0-9]*\) claims hold.*/\1 \2/p' | tail -n 1)
    [ -n "$counts" ] || { echo "FAIL lesson$n claims nothing"; return; }
    held=$((held + ${counts% *})) made=$((made + ${counts#* }))
  done
  [ "$held" -eq "$made" ] && echo "$held of $made" || echo "FAIL $held of $made"
}

# Runs test programs: how many passed.
tests() { # BUILD EMULATOR NAMES
  passed=0 count=0
  for name in $3; do
    count=$((count + 1))
    # shellcheck disable=SC2086
    $2 "$1/$name$suffix" >"$work/printed" 2>&1
    case $? in 0 | 77) passed=$((passed + 1)) ;; *) cp "$work/printed" "$log/$name" ;; esac
  done
  [ $passed -eq $count ] && echo "$passed of $count" || echo "FAIL $passed of $count"
}

# A model of lesson 2, stored there and here, must write here and there.
files() { # BUILD EMULATOR
  [ -x build/lesson2 ] || { echo '- make build/lesson2 first'; return; }
  small='--context 2 --dim 2 --hidden 5 --steps 5'
  # shellcheck disable=SC2086
  $2 "$1/lesson2$suffix" $small --sample 5 --save "$work/there" >"$work/printed" 2>&1 &&
    build/lesson2 $small --sample 5 --save "$work/here" >"$work/printed" 2>&1 &&
    build/lesson2 --load "$work/there" --sample 20 >"$work/printed" 2>&1 &&
    $2 "$1/lesson2$suffix" --load "$work/here" --sample 20 >"$work/printed" 2>&1 &&
    echo 'both ways' || { cp "$work/printed" "$log/files"; echo FAIL; }
}

some='test_text test_safetensors test_elementary test_flags test_product test_lesson'

# Builds by cmake in a tree of its own, and runs what was built.
cmake_target() { # NAME EMULATOR LESSONS FLAGS TESTS CMAKE_ARGS...
  name=$1 emulator=$2 lessons=$3 flags=$4 chosen=$5; shift 5
  build=$work/$name.build log=$work/$name.log
  mkdir -p "$log"
  wanted=$chosen; for n in $lessons; do wanted="$wanted lesson$n"; done
  # shellcheck disable=SC2086
  if ! { cmake -S "$source" -B "$build" "$@" >"$log/configure" 2>&1 &&
    cmake --build "$build" -j "$jobs" --config Release --target $wanted >"$log/build" 2>&1; }; then
    row "$name" FAIL '' '' '' ''; tail -n 15 "$log/build" 2>/dev/null || tail -n 5 "$log/configure"; failed=$((failed + 1)); return
  fi
  [ ! -d "$build/Release" ] || build=$build/Release
  warned=$(grep -c 'warning:' "$log/build")
  found=$(row "$name" yes "$warned" "$(claims "$build" "$emulator" "$lessons" "$flags")" \
    "$(tests "$build" "$emulator" "$chosen")" "$(case " $lessons " in *' 2 '*) files "$build" "$emulator" ;; *) echo - ;; esac)")
  echo "$found"
  case $found in *FAIL*) failed=$((failed + 1)); tail -n 8 "$log"/printed "$log"/errors "$log"/test_* "$log"/files 2>/dev/null ;; esac
  [ "$warned" -eq 0 ] || { failed=$((failed + 1)); grep 'warning:' "$log/build" | head -n 5; }
  [ -z "$after" ] || $after "$build" "$emulator" || failed=$((failed + 1))
  rm -rf "$work/$name.build"
}

native() { # NAME COMPILER [CMAKE_ARGS...]: all lessons, some tests
  has cmake "$2" || { absent "$1" "$absent"; return; }
  tried=$((tried + 1)); target=$1 compiler=$2; shift 2
  cmake_target "$target" '' '1 2 3 4 5 6' '' "$some" -DCMAKE_CXX_COMPILER="$compiler" "$@"
}

place() { # NAME [CMAKE_ARGS...]: another folder or generator; one lesson, one test
  tried=$((tried + 1)); target=$1; shift
  cmake_target "$target" '' 1 '' test_text "$@"
}

foreign() { # NAME PROCESSOR EMULATOR LESSONS FLAGS TESTS [CMAKE_ARGS...]
  target=$1 processor=$2 run=$3 numbers=$4 flags=$5 chosen=$6; shift 6
  has cmake "$processor-linux-gnu-g++" ${run:+"$run"} || { absent "$target" "$absent"; return; }
  tried=$((tried + 1))
  cmake_target "$target" "$run" "$numbers" "$flags" "$chosen" -DCMAKE_SYSTEM_NAME=Linux \
    -DCMAKE_SYSTEM_PROCESSOR="$processor" -DCMAKE_CXX_COMPILER="$processor-linux-gnu-g++" \
    -DCMAKE_EXE_LINKER_FLAGS=-static "$@"
}

# Over an existing file, and over the text that it was made from: the second is refused, whatever the letters.
saves_on_windows() { # BUILD EMULATOR
  cp common/data/play.txt "$work/play.txt"
  small='--context 2 --dim 2 --hidden 5 --steps 5 --sample 5'
  # shellcheck disable=SC2086
  if (cd "$work" && "$2" "$1/lesson2$suffix" $small --save model && "$2" "$1/lesson2$suffix" $small --save model &&
    "$2" "$1/lesson2$suffix" --load model --sample 5 && ! "$2" "$1/lesson2$suffix" $small --text play.txt --save PLAY.TXT) >"$log/saves" 2>&1 &&
    cmp -s common/data/play.txt "$work/play.txt"; then row '  --save' 'as it should' '' '' '' ''
  else row '  --save' FAIL '' '' '' ''; tail -n 3 "$log/saves"; return 1; fi
}

# All lessons under wine, a model saved over an existing file, and one over the text it was made from, in other letters.
windows() {
  mingw=x86_64-w64-mingw32-g++-posix
  wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null) || { absent windows wine; return; }
  has cmake $mingw || { absent windows "$absent"; return; }
  tried=$((tried + 1))
  WINEDEBUG=-all WINEPREFIX=$work/wine; export WINEDEBUG WINEPREFIX
  after=saves_on_windows suffix=.exe
  cmake_target windows "$wine" '1 2 3 4 5 6' '' 'test_lesson test_safetensors' -DCMAKE_SYSTEM_NAME=Windows \
    -DCMAKE_CXX_COMPILER=$mingw -DCMAKE_EXE_LINKER_FLAGS=-static
  after='' suffix=''
}

# Big-endian with unsigned char; 32 bits with SSE, and without it the refusal; processors of other kinds.
s390x() { foreign s390x s390x qemu-s390x 2 '--part 3' 'test_safetensors test_elementary test_text'; }
i686() {
  foreign i686 i686 '' '1 2' '' "$some" -DCMAKE_CXX_FLAGS='-msse2 -mfpmath=sse'
  has i686-linux-gnu-g++ || return
  if i686-linux-gnu-g++ -std=c++20 -I. -fsyntax-only common/support/elementary.cpp >/dev/null 2>&1; then
    row 'i686 x87' 'FAIL: it compiles' '' '' '' ''; failed=$((failed + 1))
  else row 'i686 x87' refused '' '' '' ''; fi
}
aarch64() { foreign aarch64 aarch64 qemu-aarch64 1 '--part 2' test_elementary; }
riscv64() { foreign riscv64 riscv64 qemu-riscv64 1 '--part 3' test_elementary; }

wasm() {
  has em++ node || { absent wasm "$absent"; return; }
  tried=$((tried + 1)); log=$work/wasm.log; mkdir -p "$log"
  if (cd "$source" && make web) >"$log/build" 2>&1; then
    good=0
    for n in 1 2 3 4 5 6; do
      (cd "$source" && node tests/wasm.mjs "build/wasm/lesson$n.js" --quick) >"$work/printed" 2>&1 && good=$((good + 1)) || cp "$work/printed" "$log"
    done
    row wasm yes "$(grep -c 'warning:' "$log/build")" "$good of 6 lessons" - -
    [ $good -eq 6 ] || { failed=$((failed + 1)); tail -n 8 "$log/printed"; }
  else row wasm FAIL '' '' '' ''; tail -n 5 "$log/build"; failed=$((failed + 1)); fi
}

# A clone as on Windows, where git ends lines in CR LF unless .gitattributes forbids it, as it does here.
autocrlf() {
  has git cmake || { absent autocrlf "$absent"; return; }
  git -c core.autocrlf=true clone -q . "$work/autocrlf" 2>/dev/null || { absent autocrlf 'a repository'; return; }
  before=$source source=$work/autocrlf
  place autocrlf
  if grep -rlI "$(printf '\r')" "$source" --include='*.[chm]*' >"$work/returns"; then
    echo "  FAIL: a carriage return in $(head -n 1 "$work/returns")"; failed=$((failed + 1))
  fi
  source=$before
}
elsewhere() { # NAME FOLDER
  before=$source source=$work/$2
  unpack "$source"; place "$1"
  source=$before
}
# Nothing may be written beside the sources; no mode stops root, so the list of files is looked at, too.
readonly_() {
  before=$source source=$work/read-only
  unpack "$source"; chmod -R a-w "$source"
  files_before=$(find "$source" | sort)
  place readonly
  [ "$files_before" = "$(find "$source" | sort)" ] || { echo '  it wrote beside its sources'; failed=$((failed + 1)); }
  source=$before
}
bmake_() {
  has bmake || { absent bmake bmake; return; }
  tried=$((tried + 1))
  said=$(cd "$source" && bmake lesson1 2>&1); status=$?
  lines=$(echo "$said" | wc -l)
  if [ $status -ne 0 ] && [ "$lines" -le 2 ] && echo "$said" | grep -q GNU; then row bmake refused '' '' '' ''
  else row bmake "FAIL: $lines lines" '' '' '' ''; echo "$said" | head -n 3; failed=$((failed + 1)); fi
}

after='' suffix=''
jobs=$(nproc 2>/dev/null || echo 2)
source=$work/course
unpack "$source"
row target compiles warnings 'claims, quick' tests files
for wanted in "$@"; do
  case $wanted in
    g++-11 | g++-12 | clang++-14) native "$wanted" "$wanted" ;;
    g++ | clang++) latest=$(newest "$wanted"); native "newest $wanted" "${latest:-$wanted}" ;;
    libc++) native libc++ clang++ -DCMAKE_CXX_FLAGS=-stdlib=libc++ ;;
    O0) native -O0 g++ -DCMAKE_CXX_FLAGS_RELEASE=-O0 -Dknows_O3=0 ;;
    plain) native 'no -march' g++ -Dknows_march_native=0 ;;
    windows | s390x | i686 | aarch64 | riscv64 | wasm | autocrlf) $wanted ;;
    space) elsewhere space 'a course' ;;
    umlaut) elsewhere umlaut 'Übungen' ;;
    ninja) if has ninja; then place ninja -G Ninja; else absent ninja ninja; fi ;;
    multi) if has ninja; then place multi -G 'Ninja Multi-Config'; else absent multi ninja; fi ;;
    makefiles) place makefiles -G 'Unix Makefiles' ;;
    readonly) readonly_ ;;
    bmake) bmake_ ;;
    *) echo "everywhere: there is no target $wanted; there are: $all" >&2; exit 2 ;;
  esac
done
echo "$tried tried, $failed failed"
[ "$tried" -gt 0 ] || exit 77
[ "$failed" -eq 0 ]
