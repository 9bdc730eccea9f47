#!/bin/sh
# Holds the pages to the standard of HTML: of all parts of the lessons, shortened, with their
# exercises; of one part; of a run; of the course; whole.html; and what `make web` has built, if so.
# Skipped (77) without html-validate, a package of npm, in PATH or in the folder NODE_PATH.
# Run: sh tests/test_valid_html.sh BUILD_FOLDER, from the root.
# SPDX-License-Identifier: MIT
PATH=$PATH:$NODE_PATH/.bin
html-validate --version >/dev/null 2>&1 ||
  { echo 'test_valid_html: skipped, html-validate is not here'; exit 77; }
. "$(dirname "$0")/shell.sh"
build=$(cd "$1" && pwd) || exit 1
cd "$work" || exit 1

# The standard, and what those meet who hear a page. It lets a block or the end of the text close an
# element; here that is a slip. Off, since the standard allows it and we mean it:
# - no-implicit-button-type: in a form of ours a button submits.
# - prefer-native-element: a box that scrolls is a region of no outline.
# - require-sri: a page fetches nothing.
# - wcag/h32, a button that submits: knobs act as they are turned.
# - wcag/h63, th with a scope: a table that a run has made has its heads above their columns.
cat >rules.json <<'END'
{
  "root": true,
  "extends": ["html-validate:standard", "html-validate:document", "html-validate:a11y"],
  "rules": {
    "no-implicit-close": "error",
    "no-implicit-button-type": "off",
    "prefer-native-element": "off",
    "require-sri": "off",
    "wcag/h32": "off",
    "wcag/h63": "off"
  }
}
END

run() { # PROGRAM FLAGS...
  program=$1; shift
  "$build/$program" "$@" >printed 2>&1 || fail "$program $*"
}
for n in 1 2 3 4 5 6; do
  run lesson$n --quick --all --out build/out/lesson$n
  ! grep 'Not run yet' build/out/lesson$n/index.html || fail "a part of lesson $n has not run"
  "$build/exercise$n" --out build/out/lesson$n >printed  # 1: not all are right
  [ $? -le 1 ] || fail "exercise$n"
  run lesson$n --quick --part 1 --out part/lesson$n
done
run lesson6 --quick --recipe A --steps 2 --out of_run

set -- build/out/index.html build/out/lesson?/*.html part/*/*.html of_run/run.html
[ ! -f "$build/web/index.html" ] || set -- "$@" "$build"/web/*.html "$build"/web/*/*.html
html-validate --config rules.json --formatter text "$@" >printed ||
  fail "$(grep -c . printed) lines are not as the standard says; the last:"
echo "test_valid_html: $# pages, $failed failed"
[ $failed -eq 0 ]
