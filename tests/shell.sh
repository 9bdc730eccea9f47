# Gives tests a folder $work, removed at the end; fail shows the end of $work/printed.
# SPDX-License-Identifier: MIT
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
fail() {
  failed=$((failed + 1))
  echo "FAIL $*"
  [ ! -s "$work/printed" ] || tail -n 5 "$work/printed"
}
