# What `make exercise1` builds with: sh common/support/build_exercises.sh PROGRAM FOLDER COMPILER FLAGS... -- SOURCES..., from
# the root of the course. A header that does not compile spoils only its own exercise: our solution takes its place in the
# program, and PROGRAM.broken says which it was and what the compiler says, a line each.
# SPDX-License-Identifier: MIT
set -u
program=$1 folder=$2
shift 2

# The flags come to stand behind the sources, for what compiles one header alone.
flags=
while [ "$1" != -- ]; do
  flags="$flags $1"
  shift
done
shift
log=$program.log

compile() { # -I... of the answers
  # shellcheck disable=SC2086  # flags are words
  $flags "$@" -o "$program" 2>"$log"
}

: >"$program.broken"
# Only warnings of what was edited since the last build are of interest.
edited=$(find "$folder/exercises" -name '*.hpp' -newer "$program" 2>/dev/null)
if compile "-I$folder/exercises" "$@"; then
  for file in $edited; do grep "^$file:.*warning:" "$log" >&2; done
  exit 0
fi

# Returns what the compiler says of a header alone: the first error as FILE:LINE: TEXT.
error_of() {
  # shellcheck disable=SC2086
  $flags -fsyntax-only -x c++ "$1" 2>&1 >/dev/null |
    sed -n "s/^\([^ :]*:[0-9]*\):\([0-9]*:\)* \(fatal \)\{0,1\}error: \(.*\)/\1: \4/p" | head -n 1
}

# Of those that the errors speak of, the ones that do not compile alone; if all do, the ones that the check cannot use.
named=$(grep -o 'ex[0-9]*_[0-9]*' "$log" | sort -u)
alone=
for name in $named; do
  solution=$(echo "$folder/answers/solutions/${name}"_*.hpp)
  file=$folder/exercises/${solution##*/}
  error=$(error_of "$file")
  [ -z "$error" ] || alone="$alone$name $error
"
done
if [ -z "$alone" ]; then
  # An error names it first; what follows may be advice.
  for name in $(sed -n 's/^.*error: //p' "$log" |
    awk 'match($0, /ex[0-9]+_[0-9]+/) { print substr($0, RSTART, RLENGTH) }' | sort -u); do
    error=$(grep 'error:' "$log" | grep -m1 "$name" | sed 's/^.*error: //')
    alone="$alone$name the check cannot call it: $error
"
  done
fi

mended=$program.mended
rm -rf "$mended" && mkdir -p "$mended" && cp "$folder"/exercises/*.hpp "$mended" || exit 1
printf '%s' "$alone" | while read -r name error; do
  cp "$folder/answers/solutions/$name"_*.hpp "$mended"
  echo "$(echo "${name#ex}" | tr _ .) $error" >>"$program.broken"
done
if [ -z "$alone" ] || ! cp "$log" "$log.first" || ! compile "-I$mended" "$@"; then
  cat "$log" >&2
  exit 1
fi
# The program was made of copies: it is built again when any of the reader's own files changes.
for file in "$folder"/exercises/*.hpp; do
  echo "$program: $file" >>"$program.d"
done
