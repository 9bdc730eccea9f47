# Runs a command that writes OUT, as in: sh common/frame/beside.sh OUT COMPILER FLAGS... It writes beside OUT, and what is whole is
# renamed: two makes at once, or one that is stopped, leave no half files. What another make has finished meanwhile stays.
# SPDX-License-Identifier: MIT
set -u
out=$1 new=$1.$$
shift
case " $* " in *' -MMD '* | *' -MD '*) set -- "$@" -MT "$out" -MF "$new.d" ;; esac
mkdir -p "${out%/*}" && : >"$new.begun" || exit 1
trap 'rm -f "$new" "$new.begun" "$new.d"' EXIT
trap 'exit 1' HUP INT TERM
LC_ALL=C "$@" -o "$new" || exit
[ -z "$(find "$out" -newer "$new.begun" 2>/dev/null)" ] || exit 0
[ ! -f "$new.d" ] || mv "$new.d" "${out%.*}.d"
mv "$new" "$out"
