#!/bin/sh
# Shows tests/browser.mjs, also in Firefox if it is here, the pages of shortened lessons, two with
# texts and names like markup. Skipped (77) without node, puppeteer-core (in NODE_PATH) or Chromium.
# Run: sh tests/test_browser.sh BUILD_FOLDER, from the root.
# SPDX-License-Identifier: MIT
command -v node >/dev/null || { echo 'browser: skipped, node is not here'; exit 77; }
. "$(dirname "$0")/shell.sh"
mkdir "$work/out"
said=$(node tests/browser.mjs "$work/out")
[ $? -ne 77 ] || { echo "$said"; exit 77; }

build=$1
run() { # LESSON FOLDER FLAGS...
  lesson=$1 into=$2; shift 2
  "$build/lesson$lesson" --quick --out "$work/out/$into" "$@" >"$work/printed" || { cat "$work/printed"; exit 1; }
}
for n in 1 2 3 4 5 6; do run $n lesson$n; done
evil='<i class="evil"> &lt; '
for i in $(seq 300); do
  echo "</pre></p>--><i class=\"evil\">x</i><script>document.title='evil'</script> line $i &lt; ]]>"
done >"$work/$evil"
run 2 "text$evil" --text "$work/$evil"
run 6 "run$evil" --recipe A --steps 2 --text "$work/$evil" --save "$work/save$evil"
node tests/browser.mjs "$work/out" || exit
BROWSER=firefox node tests/browser.mjs "$work/out" || [ $? -eq 77 ]
