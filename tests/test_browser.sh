#!/bin/sh
# Runs all lessons shortened, and three on texts, tables and names that would like to be markup, and looks at their pages in
# a real browser: tests/browser.mjs. Skipped (exit status 77) where node, puppeteer-core or Chromium is absent. Where tidy
# is, it reads the pages, too.
# Run: sh tests/test_browser.sh BUILD_FOLDER, from the root. NODE_PATH says where puppeteer-core lies.
# SPDX-License-Identifier: MIT
command -v node >/dev/null || { echo 'browser: skipped, node is not here'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/out"
said=$(node tests/browser.mjs "$work/out")
[ $? -ne 77 ] || { echo "$said"; exit 77; }

run() { # LESSON FOLDER FLAGS...
  lesson=$1 into=$2; shift 2
  "$build/lesson$lesson" --quick --out "$work/out/$into" "$@" >"$work/printed" || { cat "$work/printed"; exit 1; }
}
build=$1
for folder in lessons/[0-9]*_*; do
  n=$(basename "$folder") && n=${n%%_*}
  run "$n" "lesson$n"
done
evil='<i class="evil"> &lt; '
i=0
while [ $i -lt 300 ]; do
  echo "</pre></p>--><i class=\"evil\">x</i><script>document.title='evil'</script> line $i &lt; ]]>"
  i=$((i + 1))
done >"$work/$evil"
awk -v name="$evil" 'BEGIN { gsub(/"/, "\"\"", name); printf "\"%s\",</td><i class=evil>b\n", name
  for (k = 0; k < 60; ++k) print k % 7, ",", k % 5 }' >"$work/table$evil"
run 2 "text$evil" --text "$work/$evil"
run 3 "data$evil" --data "$work/table$evil"
run 6 "run$evil" --recipe A --steps 2 --text "$work/$evil" --save "$work/save$evil"

status=0
if command -v tidy >/dev/null; then
  for page in "$work"/out/*/*.html; do
    # It is older than the attribute that asks a phone for its keys with numbers.
    tidy -quiet -errors --drop-empty-elements no "$page" 2>&1 | grep -v 'attribute "inputmode"' >"$work/said"
    [ ! -s "$work/said" ] || { echo "FAIL tidy on $page"; head -n 5 "$work/said"; status=1; }
  done
else
  echo 'tidy is not here, and has not read the pages'
fi
node tests/browser.mjs "$work/out" || status=1
# And the pages that a reader has here, of whole runs perhaps.
[ ! -f build/out/index.html ] || node tests/browser.mjs build/out || status=1
exit $status
