# Gives tests a folder $work, removed at the end; fail shows the end of $work/printed.
# SPDX-License-Identifier: MIT
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
# Goes into a copy of the course in $work/a tree, with what is named, too; what is built is linked, and nothing writes into it.
enter_copy() { # NAMES...
  mkdir "$work/a tree"
  for name in * "$@"; do
    case $name in
    build) cp -al build "$work/a tree" 2>/dev/null || cp -a build "$work/a tree" ;;
    *) [ ! -e "$name" ] || cp -a "$name" "$work/a tree" ;;
    esac
  done
  cd "$work/a tree" || exit 1
  rm -rf build/derive build/out
}
fail() {
  failed=$((failed + 1))
  echo "FAIL $*"
  [ ! -s "$work/printed" ] || tail -n 5 "$work/printed"
}
