#!/bin/sh
# PyTorch goes on where lesson 6 stopped, and the snippets of the READMEs run: tests/test_beyond.py. Skipped (exit
# status 77) where no python3 has torch and numpy. Run: sh tests/test_beyond.sh BUILD_FOLDER, from the root.
# SPDX-License-Identifier: MIT
for python in python3 /usr/bin/python3; do
  OMP_NUM_THREADS=1 "$python" -c 'import torch, numpy' 2>/dev/null || continue
  work=$(mktemp -d) || exit 1
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 "$python" tests/test_beyond.py "$1" "$work"
  exit
done
echo 'beyond: skipped, no python3 here has torch and numpy'
exit 77
