#!/bin/sh
# Makes the pages of build/web: that of lesson N, or without a number that of the course.
# Run: sh common/frame/web/page.sh [N], from the root, when build/lessonN and build/wasm/lessonN.js are there (make web).
# SPDX-License-Identifier: MIT
set -e
pages=build/wasm/build/out  # where a program that is started in build/wasm writes
# Writes a file, packed, as text: five digits to the base 85, from * on, for each four bytes; base64 takes a fifteenth more.
packed() { # FILE
  gzip -9 -n <"$1" | od -An -v -tu1 | LC_ALL=C awk '
    function put(count,  digits, j) {
      for (j = 0; j < 5; ++j) { digits = sprintf("%c", 42 + word % 85) digits; word = int(word / 85) }
      printf "%s", substr(digits, 1, count + 1)
      word = bytes = 0
    }
    { for (i = 1; i <= NF; ++i) { word = 256 * word + $i; if (++bytes == 4) put(4) } }
    END { if (bytes > 0) { last = bytes; for (; bytes < 4; ++bytes) word *= 256; put(last) } }'
}
script() { # NAME...: files of common/frame/web, without remarks
  for name in "$@"; do sed -e '/^ *\/\//d' -e 's/^ *//' "common/frame/web/$name.js"; done
}
# Writes the page of the native program with the lesson's program and what runs it. These stand behind the opening, whose
# bench answers while the rest arrives.
page() { # LESSON PAGE
  rest=$(grep -n -m 1 '^<h2 id=\|^<div class="cards">' "$2" | cut -d : -f 1)
  sed -e "$rest,\$d" \
    -e 's,<body>,&<script>document.body.classList.toggle("live"\, typeof WebAssembly === "object")</script>,' "$2"
  echo '<noscript>The knobs turn only where JavaScript runs; text, pictures and commands need none.</noscript>'
  echo '<script type="text/plain" id="wasm">'
  packed "build/wasm/lesson$1.wasm"
  echo '</script><script type="text/plain" id="program">'
  packed "build/wasm/lesson$1.js"
  echo '</script><script>'
  script program motion cells bench address shell
  echo '</script>'
  sed -e "1,$((rest - 1))d" -e '$s,</body></html>$,,' "$2"
  echo "<script>'use strict';"
  script derivation
  echo '</script></body></html>'
}
if [ -z "$1" ]; then
  mkdir -p build/web
  page 1 "$pages/index.html" >build/web/index.html
  echo "wrote build/web/index.html and the lessons beside it"
  exit
fi
rm -rf "$pages/lesson$1"
(cd build/wasm && "../lesson$1" >"lesson$1.printed") || { cat "build/wasm/lesson$1.printed"; exit 1; }
mkdir -p "build/web/lesson$1"
page "$1" "$pages/lesson$1/index.html" >"build/web/lesson$1/index.html"
[ ! -f "$pages/lesson$1/whole.html" ] || cp "$pages/lesson$1/whole.html" "build/web/lesson$1"
