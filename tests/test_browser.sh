#!/bin/sh
# Runs all lessons shortened, and looks at their pages in a real browser: tests/browser.mjs. Skipped (exit status 77) where
# node, puppeteer-core or Chromium is absent.
# Run: sh tests/test_browser.sh BUILD_FOLDER, from the root. NODE_PATH says where puppeteer-core lies.
# SPDX-License-Identifier: MIT
command -v node >/dev/null || { echo 'browser: skipped, node is not here'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
node tests/browser.mjs "$work"
[ $? -ne 77 ] || exit 77
for folder in lessons/[0-9]*_*; do
  n=$(basename "$folder") && n=${n%%_*}
  "$1/lesson$n" --quick --out "$work/lesson$n" >"$work/out" || { cat "$work/out"; exit 1; }
done
node tests/browser.mjs "$work"
