#!/bin/sh
# What a reader does with the exercises of lesson 1, in a copy of this folder: files that do not compile or are gone, a
# compiler that does not speak English, editors, what is given back, two makes at once. Run: sh tests/test_make.sh COMPILER,
# from the root, where make has built lesson 1 and its exercises.
# SPDX-License-Identifier: MIT
set -u
compiler=$1
unset MAKEFLAGS MFLAGS MAKELEVEL WARNINGS OPTIMIZE  # a reader has not asked for warnings as errors
export CXX="$compiler"
. "$(dirname "$0")/shell.sh"
mkdir "$work/bin"
enter_copy .git .github
tree=$(pwd)
stubs=lessons/1_math_refresh/exercises
cp -r $stubs "$work/given"
unset LC_ALL
export LANG=de_DE.UTF-8
# The compiler speaks English where it is asked in C.
real=$(command -v "$compiler")
cat >"$work/bin/$(basename "$compiler")" <<END
#!/bin/sh
[ "\${LC_ALL:-}" != C ] || exec $real "\$@"
$real "\$@" 2>"$work/german.\$\$"
status=\$?
sed 's/error:/Fehler:/; s/warning:/Warnung:/; s/undefined reference/Referenz/' "$work/german.\$\$" >&2
exit \$status
END
chmod +x "$work/bin/$(basename "$compiler")"
PATH=$work/bin:$PATH

checked() { make --no-print-directory exercise1 >"$work/printed" 2>&1; } # the files as they are
said() { # WHAT NUMBER WORDS: checked() printed of this exercise
  sed -n "/^$2 /,/^[1l]/p" "$work/printed" | tr -s '\n ' ' ' | grep -q "$3" || fail "$1: of $2 is not said: $3"
}
given_back() { rm -f $stubs/*; cp "$work/given"/* $stubs; }
# Puts a line before the namespace of a stub.
before() { awk -v line="$2" '/^namespace/ && !n++ { print line } { print }' "$1" >"$work/edited" && cp "$work/edited" "$1"; }
in_file() { echo "it does not compile $stubs/ex1_$1.hpp:$2"; }
one() { echo $stubs/ex1_"$1"_*.hpp; }

sed -i 's/^#include <cmath>/#include <cmaht>/' "$(one 5)"
before "$(one 6)" 'struct Helper { int x; }'
sed -i 's,^}  // namespace.*,,' "$(one 7)"
before "$(one 8)" 'double help(double); int main() { return 0; }' && sed -i 's/return z; }/return help(z); }/' "$(one 8)"
before "$(one 9)" 'using namespace std; double half(double x) { return x / 2; } int main() { return 0; }'
checked
said 'a mistyped include' 1.5 "$(in_file 5_leaky_gain 7): there is no file cmaht to include"
said 'a missing semicolon' 1.6 "$(in_file 6_way_around 10): expected ';' after"
said 'a missing brace' 1.7 "$(in_file 7_dropout 18): a { is never closed"
said 'a function that is only declared' 1.8 'help(double) is declared, but written nowhere'
said 'using namespace std, and int main' 1.9 'not started'

given_back
rm "$(one 5)"
sed -i 's/map_entries(H, \[\](double h)/map_entries(H, [](double h, double)/' "$(one 6)"
sed -i 's/inline double gain_divided/inline double divided/' "$(one 7)"
echo '}' >>"$(one 8)"
sed -i 's/^  return base;/  nonsense;/' "$(one 9)"
checked
said 'a file that is gone' 1.5 'the file is not there: make reset1.5 brings it back'
said 'an error in a header of ours, which this line calls' 1.6 "$(in_file 6_way_around 21): "
said 'another name' 1.7 "the check cannot call it: 'gain_divided' is not"
said 'a brace too many' 1.8 'a } closes nothing'
said 'nonsense' 1.9 "$(in_file 9_other_inputs 15): 'nonsense' was"
make --no-print-directory solution1.5 >"$work/printed" 2>&1
grep -q '^#include <cmath>$' "$work/printed" || fail 'solution: it is made of what the reader wrote'

given_back
sed -i 's/^  return 0;/  const int none = int(a) * 0; return 2 \/ none;/' "$(one 5)"
before "$(one 6)" '#include <map>
#include <functional>
using namespace std; map<int, hash<double>> seen; int main() {}'
sed -i 's/double keep) { return 0; }/double keep) { return 0,5; }/' "$(one 7)"
before "$(one 8)" 'inline void show() { std::cout << 1; }'
checked
said 'a whole number by 0' 1.5 'it divides a whole number by 0'
said 'names of std, and int main without return' 1.6 'not started'
said 'a decimal comma' 1.7 'C++ takes 0,5 for two numbers: write 0.5'
said 'what a header is missing for' 1.8 "'cout' is not a member of 'std'; put #include <iostream> at the top"

given_back
sed -i '/^inline double gain/s/ {$//' "$(one 5)"
sed -i 's/^  Gradients g;/  Gradients g{H.row(0)[H.cols()] > 1 ? X : H};/' "$(one 6)"
checked
said 'a function without {' 1.5 "$(in_file 5_leaky_gain 14): a { is missing before it"
said 'a read past the end of a row' 1.6 'past the end of a row or a vector: the last index is its size less 1'
grep -q 'Assertion' "$work/printed" && fail 'what the standard library says is printed'

given_back
touch -d '2001-01-01' $stubs/*
checked
[ "$(grep -c 'not started$' "$work/printed")" -eq 5 ] || fail 'files of an earlier date: the state is not that of the files'

# Where files have whole seconds, an answer that was edited at once is no newer than the object of the last.
given_back
checked
before "$(one 5)" 'int nonsense'
touch -d '3 seconds' build/exercises/1_math_refresh/ex1_5_leaky_gain.o
checked
said 'an answer no newer than the object of the last' 1.5 'it does not compile'
given_back
sed -i 's/^  return 0;/  return 2 \/ (1 + a * a);/' "$(one 5)"
echo 'constexpr double first = 0.25;' >$stubs/mine.hpp
sed -i 's/double keep) { return 0; }/double keep) { return first; }/' "$(one 7)"
before "$(one 7)" '#include "mine.hpp"'
checked
said 'a right answer' 1.5 'done'
said 'a wrong one' 1.7 'yours 0.25'
sed -i 's/0.25/0.75/' $stubs/mine.hpp
checked
said 'what an answer includes, changed' 1.7 'yours 0.75'

# What is no include: in a comment, or for another system; a byte order mark, and what Windows once called Unicode.
given_back
before "$(one 5)" '/* once it had
#include "windows.h"
*/
#ifdef _WIN32
#include <windows.h>
#endif'
{ printf '\357\273\277// rows /* columns\n'; cat "$work/given/$(basename "$(one 6)")"; } >"$(one 6)"
{ printf '\357\273\277#ifdef _WIN32 /* or\nelse */\n#include <windows.h>\n#endif\n'; cat "$work/given/$(basename "$(one 7)")"; } >"$(one 7)"
before "$(one 8)" '#if defined(_WIN32) || \\
  defined(_WIN64)
#include <windows.h>
#endif'
checked
[ "$(grep -c 'not started$' "$work/printed")" -eq 5 ] || fail 'includes that are none, or a byte order mark'
iconv -f UTF-8 -t UTF-16 "$work/given/$(basename "$(one 5)")" >"$(one 5)"
checked
said 'UTF-16' 1.5 'the file is stored as UTF-16'
given_back
checked

# What root made. Whoever is root here becomes nobody.
chmod 755 "$work" && chmod 555 build
reader=
[ "$(id -u)" -ne 0 ] || reader='setpriv --reuid=65534 --regid=65534 --clear-groups'
$reader make exercise1 >"$work/printed" 2>&1
[ $? -eq 2 ] && [ "$(wc -l <"$work/printed")" -eq 1 ] && grep -q 'build is not yours to write' "$work/printed" ||
  fail 'after sudo make: not one line'
chmod 755 build

opened() { EDITOR=$1 make --no-print-directory open1.5 2>&1; }
line=$(grep -n TODO "$(one 5)" | sed 's/:.*//')
for editor in 'code --wait' 'vi' 'emacs -nw' 'subl' 'ed'; do
  printf '#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n' >"$work/bin/${editor%% *}"
  chmod +x "$work/bin/${editor%% *}"
done
[ "$(opened 'code --wait' | tr '\n' ' ')" = "--wait --goto $(one 5):$line " ] || fail 'open: code does not stand at the TODO'
[ "$(opened "'$work/bin/vi'" | tr '\n' ' ')" = "+$line $(one 5) " ] || fail 'open: vi does not stand at the TODO'
[ "$(opened 'subl' | tr '\n' ' ')" = "$(one 5):$line " ] || fail 'open: subl does not stand at the TODO'
[ "$(unset EDITOR && VISUAL=subl make --no-print-directory open1.5 2>&1)" = "$(one 5):$line" ] || fail 'open: VISUAL is not asked'
[ "$(opened 'ed')" = "$(one 5)" ] || fail 'open: an editor that nobody knows gets more than the file'

timeout 4 make watch1.5 >"$work/printed" 2>&1
[ "$(grep -c '^1.5 ' "$work/printed")" -eq 1 ] || fail 'watch: it is not checked once, as it is saved once'
! grep -q jobserver "$work/printed" || fail 'watch: make speaks of its jobs'
: >"$work/printed"

if git rev-parse HEAD >/dev/null 2>&1; then
  echo '// mine' >"$(one 6)" && rm "$(one 5)"
  make --no-print-directory reset1 >"$work/printed" 2>&1 || fail 'reset1: exit status'
  grep -q TODO "$(one 5)" && grep -q TODO "$(one 6)" && grep -q mine "$(one 6).mine" || fail 'reset1: not all is back, or an answer is lost'
  echo '// mine' >"$(one 6)"
  make --no-print-directory reset1.6 >/dev/null 2>&1
  grep -q TODO "$(one 6)" && grep -q mine "$(one 6).mine.mine" || fail 'reset1.6: the stub is not back, or an answer is lost'
fi

# What is packed for a room without a network gives exercises back, and has the pages, but nothing of the reader's.
if git rev-parse HEAD >/dev/null 2>&1; then
  mkdir -p "$work/pages/lesson1/results" && echo page | tee "$work/pages/lesson1/index.html" >"$work/pages/lesson1/results/1.html"
  { sh .github/archive.sh "$work/pages" packed && tar -C "$work" -xzf build/packed.tar.gz; } >"$work/printed" 2>&1 || fail 'archive'
  (cd "$work/packed" && make -s help && grep -q TODO "$(one 6)" && rm "$(one 6)" && sh common/frame/exercise/exercise.sh reset 1.6 &&
    grep -q TODO "$(one 6)" && grep -q page pages/lesson1/index.html && ! ls -d pages/lesson1/results build "$(one 6)".mine) \
    >"$work/printed" 2>&1 || fail 'archive: no exercise comes back, or no page is there'
  sh .github/archive.sh "$work/none" packed >"$work/printed" 2>&1 && fail 'archive: without pages'
fi

# Git refuses a repository that belongs to somebody else, and says what to do.
if [ "$(id -u)" -eq 0 ] && git rev-parse HEAD >/dev/null 2>&1; then
  chown 65534:65534 .git .
  rm "$(one 6)"
  HOME=$work sh common/frame/exercise/exercise.sh reset 1.6 >"$work/printed" 2>&1
  [ $? -eq 2 ] && [ "$(wc -l <"$work/printed")" -eq 1 ] && grep -q 'git config --global --add safe.directory' "$work/printed" ||
    fail 'dubious ownership: what git wants is not said in a line'
  chown 0:0 .git .
  given_back
fi

# The course as a folder of another repository, whose path has an apostrophe and a number sign.
mkdir -p "$work/other's #1"
cp -a "$tree" "$work/other's #1/course" && rm -rf "$work/other's #1/course/.git" "$work/other's #1/course/build"
(cd "$work/other's #1" && git init -q . && git add -A >/dev/null 2>&1 && git -c user.name=x -c user.email=x commit -qm all &&
  cd course && rm "$(one 5)" && sh common/frame/exercise/exercise.sh reset 1.5) >"$work/printed" 2>&1 || fail 'reset in a folder of another repository'
# CMake takes no number sign in a path, and says so.
if command -v cmake >/dev/null; then
  mv "$work/other's #1/course" "$work/other's"
  (cd "$work/other's" && cmake -S . -B build/cmake -G 'Unix Makefiles' -DCMAKE_CXX_COMPILER="$real" && cd build/cmake &&
    make -f CMakeFiles/exercise1.dir/build.make exercises/1_math_refresh/ex1_6_way_around.hpp &&
    grep ex1_6 exercises/1_math_refresh/ex1_6_way_around.hpp) >"$work/printed" 2>&1 || fail 'CMake in a path with an apostrophe'
fi

# Below the includes of every stub of a lesson at once: names of std's, a main program, and a helper that all have.
for folder in lessons/[0-9]*_*; do
  rm -rf "$work/stubs" && mkdir "$work/stubs"
  printf '#include <functional>\n#include <map>\n' >"$work/all.cpp"
  for file in "$folder"/exercises/ex*.hpp; do
    awk '/^namespace/ && !n++ { print "using namespace std;\nint main() {}\nmap<int, hash<double>> seen;\ndouble twice(double x) { return 2 * x; }" } { print }' \
      "$file" >"$work/stubs/$(basename "$file")"
    sh common/frame/exercise/build_exercise.sh header "$work/stubs/$(basename "$file")"
  done | grep -v '^#pragma once' >>"$work/all.cpp"
  "$compiler" -std=c++20 -Werror=return-type -I. -fsyntax-only "$work/all.cpp" 2>"$work/printed" ||
    fail "using namespace std, or the same names in two stubs of $folder"
done
: >"$work/printed"

# With four processors and 1 GB two jobs of 450 MB run at once.
printf '#!/bin/sh\necho 4\n' >"$work/bin/nproc" && chmod +x "$work/bin/nproc"
echo 'MemTotal: 1000000 kB' >"$work/memory"
[ "$(MAKELEVEL=0 make -pn MEMORY_FILES="$work/memory" help 2>/dev/null | sed -n 's/^JOBS := //p')" -eq 2 ] ||
  fail 'more jobs than fit into memory'

# make 4.4 hands its variables on behind a --, where nothing is a flag any more; an older one keeps them elsewhere. So the
# lines are tried by themselves.
for handed in 'k' 's -- ARGS=x' '-- CXX=g++ ARGS=x' '--no-print-directory -- ARGS=x'; do
  { echo "HANDED = $handed" && echo 'JOBS = 7' && grep '^dash :=\|^MAKEFLAGS :=' common/frame/build.mk | sed 's/MAKEFLAGS/HANDED/g' &&
    echo '$(info $(HANDED))' && echo 'all: ;'; } >"$work/probe.mk"
  MAKELEVEL='' make -s -f "$work/probe.mk" MAKELEVEL=0 >"$work/printed" 2>&1
  sed 's/ -- .*//; s/ --$//' "$work/printed" | grep -q '^--no-builtin-rules -j7' || fail "one job alone where make hands on $handed"
done

# With -Ofast exp would be wrong by 41 %, and nothing would say so.
printf '#include "common/fast/elementary.hpp"\n' >"$work/all.cpp"
"$compiler" -std=c++20 -Ofast -I. -fsyntax-only "$work/all.cpp" 2>&1 | grep -q 'drop -Ofast' || fail '-Ofast is not refused'

# A source that has moved since the last build.
echo 'build/common/loss.o: common/moved.hpp' >>build/common/loss.d
make build/common/loss.o >"$work/printed" 2>&1 || fail 'a source that has moved: nothing is built any more'

# A compiler that was updated compiles everything anew, and says why; two makes at once leave whole files.
cat >"$work/bin/$(basename "$compiler")" <<END
#!/bin/sh
case " \$* " in *' -### '*) echo another version >&2 ;; esac
exec $real "\$@"
END
make build/lessons/exercises.o >"$work/one" 2>&1 &
make build/lessons/exercises.o >"$work/printed" 2>&1 || fail 'two makes at once: the second failed'
wait $! || fail 'two makes at once: the first failed'
cat "$work/one" >>"$work/printed"
grep -q '^The compiler or the processor is another' "$work/printed" || fail 'an updated compiler: nothing is said'
[ build/frame.hpp.gch -nt build/frame.hpp ] || fail 'an updated compiler: what was read in advance is as before'
left=$(find build -newer "$work/given" -name '*.[0-9]*')
[ -z "$left" ] || fail "half files are left: $left"

# A program for another processor, once it meets an instruction that this one does not know.
{ sleep 3 | build/lesson1 --derive 1.4 >/dev/null 2>"$work/printed" & } && sleep 1 && kill -ILL $!
wait $!
[ $? -eq 2 ] && grep -q '^This program was built for another processor' "$work/printed" || fail 'an unknown instruction is not told'

echo "a reader's make: $failed checks failed"
[ "$failed" -eq 0 ]
