# Draws the pictures that the READMEs show, from whole runs at the standard seed. What such a run does
# not draw comes from the part of the section that shows it.
# Run: sh tests/pictures.sh BUILD LESSON..., from the root; make pictures for all.
# SPDX-License-Identifier: MIT
set -e
build=$1
shift
for n in "$@"; do
  folder=$(echo lessons/"$n"_*) from=$build/pictures/lesson$n
  rm -rf "$folder/pictures" "$from"
  mkdir -p "$folder/pictures" "$from"
  "$build/lesson$n" --out "$from" >"$from/printed"
  for name in $(sed -n 's,^!\[.*\](pictures/\(.*\.svg\))$,\1,p' "$folder/README.md"); do
    part=$(sed -n -e '/^## /h' -e "/](pictures\/$name)\$/{g;s/^## \([0-9]*\).*/\1/p;}" "$folder/README.md")
    [ -f "$from/$name" ] || "$build/lesson$n" --part "$part" --out "$from" >>"$from/printed"
    cp "$from/$name" "$folder/pictures/"
  done
done
