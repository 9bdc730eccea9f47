#!/bin/sh
# Makes the pages of build/web: that of lesson N, or without a number that of the course.
# Run: sh common/web/page.sh [N], from the root, when build/lessonN and build/wasm/lessonN.js are there (make web).
# SPDX-License-Identifier: MIT
set -e
pages=build/wasm/build/out  # where a program that is started in build/wasm writes
# Writes what the native program wrote, with a lesson's program and the shell that runs it behind the text.
page() { # LESSON PAGE
  sed '$s,</body></html>$,,' "$2"
  echo '<noscript>The knobs turn only where JavaScript runs; text, pictures and commands need none.</noscript>'
  echo '<script type="text/plain" id="wasm">'
  gzip -9 -n <"build/wasm/lesson$1.wasm" | base64
  echo '</script><script type="text/plain" id="program">'
  cat "build/wasm/lesson$1.js"
  echo '</script><script>'
  cat common/web/shell.js common/web/derivation.js
  echo '</script></body></html>'
}
if [ -z "$1" ]; then
  mkdir -p build/web
  page 4 "$pages/index.html" >build/web/index.html
  echo "wrote build/web/index.html and the lessons beside it"
  exit
fi
! grep -q '</script' "build/wasm/lesson$1.js" || { echo "lesson$1.js would end its own script"; exit 1; }
rm -rf "$pages/lesson$1"
(cd build/wasm && "../lesson$1" >"lesson$1.printed") || { cat "build/wasm/lesson$1.printed"; exit 1; }
mkdir -p "build/web/lesson$1"
page "$1" "$pages/lesson$1/index.html" >"build/web/lesson$1/index.html"
[ ! -f "$pages/lesson$1/whole.html" ] || cp "$pages/lesson$1/whole.html" "build/web/lesson$1"
