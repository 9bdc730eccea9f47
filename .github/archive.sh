#!/bin/sh
# Packs the course for a room without a network: what is committed, with a git of its own for `make reset1.5`, and in pages/
# what browsers show. Run by `make archive`, from the root: sh .github/archive.sh [FOLDER_OF_PAGES [NAME]].
# Without a folder the pages are those of build/web, where a knob turns in the browser, or else of build/out. Leaves
# build/NAME.tar.gz, and prints it.
# SPDX-License-Identifier: MIT
set -eu
pages=${1:-build/out}
[ $# -gt 0 ] || [ ! -f build/web/index.html ] || pages=build/web
name=${2:-course-$(git describe --tags --always)}
[ -f "$pages/lesson1/index.html" ] || { echo "archive: there are no pages in $pages; make lessons makes them" >&2; exit 2; }
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo 'archive: what is not committed is left out' >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
git clone -q --depth 1 "file://$(git rev-parse --show-toplevel)" "$work/$name"
git -C "$work/$name" remote remove origin
(cd "$pages" && find . -name '*.html' ! -path '*/results/*' -print) | while read -r file; do
  mkdir -p "$work/$name/pages/$(dirname "$file")" && cp "$pages/$file" "$work/$name/pages/$file"
done
for sheet in build/out/lesson*/sheet.html; do # build/web has none
  [ ! -f "$sheet" ] || cp "$sheet" "$work/$name/pages/$(basename "$(dirname "$sheet")")"
done
mkdir -p build
tar -C "$work" -czf "build/$name.tar.gz" "$name"
echo "build/$name.tar.gz"
