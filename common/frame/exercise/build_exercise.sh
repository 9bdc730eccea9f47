# What `make exercise1` compiles and links with, from the root. Compilers are asked in C, since what they say is read here.
#   sh common/frame/exercise/build_exercise.sh header STUB
# prints a file that includes a reader's header in a namespace of its own: `int main`, the name of a helper and `using
# namespace std` stay in it.
#   sh common/frame/exercise/build_exercise.sh object OBJECT ANSWER COMPILER FLAGS...
# Where that does not compile, an object takes its place that says so, with the compiler's first error, and the other
# exercises are checked; what is wrong with the course itself is an error.
#   sh common/frame/exercise/build_exercise.sh program PROGRAM LESSON_FOLDER 'COMPILER FLAGS' FILES...
# links. What cannot be linked is replaced in the same way.
#   sh common/frame/exercise/build_exercise.sh together ANSWERS...
# prints answers as one file, each in a namespace of its own, below what they include.
# SPDX-License-Identifier: MIT
set -u
export LC_ALL=C
unspace='s/yours_ex[0-9_]*:://g'
what=$1
shift

# The header as it stands, in a namespace, with what it includes above that; an #if around an include comes along. The sum
# in the first line has every change of the file seen, whatever its date. An `int main` need not return anything there.
header() { # STUB
  space=$(basename "$1" .hpp | sed 's/^\(ex[0-9]*_[0-9]*\)_.*/\1/')
  echo "#pragma once // $(cksum <"$1" 2>/dev/null)"
  echo '#include "common/matrix.hpp"'
  unread=
  [ -f "$1" ] || unread="the file is not there: make reset$(echo "${space#ex}" | tr _ .) brings it back"
  case $(head -c 2 "$1" 2>/dev/null | od -A n -t x1) in
  *'ff fe' | *'fe ff') unread='the file is stored as UTF-16: let your editor store it as UTF-8' ;;
  esac
  if [ -n "$unread" ]; then
    printf '#line 1 "%s"\n#error %s\n' "$1" "$unread"
    return
  fi
  awk -v file="$1" '
    NR == 1 { sub(/^\357\273\277/, "") } # a byte order mark
    {
      code = (comment ? "/*" : "") $0
      comment = 0
      while (match(code, /\/[\/*]/)) {
        before = substr(code, 1, RSTART - 1)
        behind = substr(code, RSTART + 2)
        long = substr(code, RSTART, 2) == "/*"
        end = index(behind, "*/")
        comment = long && !end
        code = before (long && end ? " " substr(behind, end + 2) : "")
      }
    }
    continued { print code }
    !continued {
      directive = code ~ /^[ \t]*#[ \t]*(include|if|el|endif)/
      if (directive) printf "#line %d \"%s\"\n%s\n", NR, file, code
    }
    { continued = directive && code ~ /\\\r?$/ }' "$1"
  echo '#define main(...) of_main = 0; inline auto main(__VA_ARGS__)'
  printf 'namespace yours_%s {\n#include "%s"\n#line %d "%s"\n}\n#undef main\n' "$space" "$1" $(($(awk 'END { print NR }' "$1") + 1)) "$1"
  echo "namespace $space = yours_$space::$space;"
}

# Prints the first error of a log: its place in the reader's file, or that of the call which led to it, and its words. What
# is missing at the end of a file is told behind its last line. A function without { has a `return` that g++ takes for a name.
first_error() { # LOG
  awk '
    / warning: / { place = "" }
    / is defined in header / && found && match($0, /<[a-z_]*>/) {
      words = words "; put #include " substr($0, RSTART, RLENGTH) " at the top"
      exit
    }
    / error: / && found++ { exit }
    place == "" && !/^In file included/ && match($0, /lessons\/[^ :]*exercises\/[^ :]*:[0-9]+/) {
      split(substr($0, RSTART, RLENGTH), place_of, ":")
      last = 0
      while ((getline text < place_of[1]) > 0) ++last
      place = place_of[1] ":" (place_of[2] + 0 > last && last > 0 ? last : place_of[2]) ": "
    }
    / \| *return / && words ~ /^(named return values|expected identifier before)/ { words = "a { is missing before it" }
    / error: / { sub(/^.* error: /, ""); words = $0 }
    END { print place words }' "$1" | sed \
    -e "s/: \([^ ]*\): No such file or directory\$/: there is no file \1 to include/" \
    -e "s/: '\([^ ]*\)' file not found\$/: there is no file \1 to include/" \
    -e "s/: #error /: /" -e "s/: expected '}'.*/: a { is never closed/; s/: redefinition of 'ex[0-9_]*'\$/: a { is never closed/" \
    -e "s/: \(expected declaration before '}' token\|extraneous closing brace.*\)/: a } closes nothing/" \
    -e "s/: '\(ex[0-9_]*\)' is not a namespace-name/: namespace \1 is not there/" \
    -e "s/'\(.*\)_is_not_allowed_here'.*/\1 is not allowed here/" \
    -e "s/: no namespace named '\(ex[0-9_]*\)'.*/: namespace \1 is not there/" -e "$unspace"
}

# Makes an object that says why ANSWER's exercise cannot be checked.
replace() { # OBJECT ANSWER WHY COMPILER FLAGS...
  none=$1 why=$3
  said=$(sed -n 's/^static const Exercise here{\("[0-9.]*", ".*"\), check};.*/\1/p' "$2")
  shift 3
  printf '#include "common/frame/exercise/exercise.hpp"\nstatic const exercise::Exercise here{%s, nullptr, R"why(%s)why"};\n' "$said" "$why" |
    sh common/frame/beside.sh "$none" "$@" -x c++ -c -
}

compile() { # OBJECT ANSWER COMPILER FLAGS...
  object=$1 answer=$2
  shift 2
  lesson=${answer#lessons/} lesson=${lesson%%/*}
  folder=${object%/*} aside=${answer%/answers/*}/exercises
  if sh common/frame/beside.sh "$object" "$@" -MMD -MP -I"$folder" -iquote "$aside" -c "$answer" 2>"$log"; then
    grep 'exercises/.*warning:' "$log" >&2
    return 0
  fi
  if ! "$@" -Ibuild/solutions/"$lesson" -fsyntax-only "$answer" 2>/dev/null; then
    cat "$log" >&2
    return 1
  fi
  header=$folder/$(basename "$answer" .cpp).hpp # alone: what it lacks at its end is an error elsewhere
  "$@" -iquote "$aside" -fsyntax-only -x c++ "$header" 2>"$log.alone" || mv "$log.alone" "$log"
  why=$(first_error "$log")
  case $why in
  lessons/*) why="it does not compile
$why" ;;
  *) why="the check cannot call it: $why" ;;
  esac
  replace "$object" "$answer" "$why" "$@"
}

# Links one answer more at a time, so that what goes wrong is the last one's.
link() { # PROGRAM FOLDER COMPILER_AND_FLAGS FILES...
  program=$1 folder=$2 compiler=$3 ours='' yours=''
  shift 3
  # shellcheck disable=SC2086  # lists of words
  sh common/frame/beside.sh "$program" $compiler "$@" 2>"$log" && return
  for file in "$@"; do
    case $file in
    build/exercises/*) yours="$yours $file" ;;
    *) ours="$ours $file" ;;
    esac
  done
  # shellcheck disable=SC2086
  for object in $yours; do
    if $compiler $ours $object -o "$log.o" 2>"$log"; then
      ours="$ours $object"
      continue
    fi
    why=$(sed -n -e "s/.*undefined reference to [\`']\(.*\)'.*/\1 is declared, but written nowhere/p" \
      -e "s/.*multiple definition of [\`']\([^']*\)'.*/\1 is written for two exercises: put inline before it/p" \
      -e 's/^  "\(.*\)", referenced from:/\1 is declared, but written nowhere/p' "$log" | head -n 1)
    replace "$object.none" "$folder/answers/$(basename "$object" .o).cpp" "it does not link
$(echo "${why:-$(head -n 1 "$log")}" | sed "$unspace")" $compiler || return
    ours="$ours $object.none"
  done
  # shellcheck disable=SC2086
  sh common/frame/beside.sh "$program" $compiler $ours
}

together() { # ANSWERS...
  cat "$@" | grep '^#include' | sort -u
  for answer in "$@"; do
    printf 'namespace answer_%s {\n#include "%s"\n}\n' "$(basename "$answer" .cpp)" "$answer"
  done
}

log=${1:-}.$$.log
case $what in
header) header "$1" ;;
together) together "$@" ;;
object | program)
  trap 'rm -f "$log" "$log.o" "$log.alone"' EXIT
  trap 'exit 1' HUP INT TERM
  if [ "$what" = object ]; then compile "$@"; else link "$@"; fi ;;
esac
