"""The folders of common/ are layers: a file includes only what stands before it in this order, or beside it. A lesson
includes common/ and its own folder. Run from the root: python3 tests/layers.py [ROOT]. Prints what points upward.
SPDX-License-Identifier: MIT"""
import glob, os, re, sys

LAYERS = "text fast core terminal files data plot formula page exercise lesson web lessons tests".split()
ROOT = sys.argv[1] if len(sys.argv) > 1 else "."


def layer(path):
    """The layer of a path from the root: common/*.hpp is the core, common/plot/*.hpp is plot."""
    folders = path.split("/")[:-1]
    return folders[0] if folders[0] != "common" else folders[1] if len(folders) > 1 else "core"


def points_upward(file):
    """Yields a line for each include of a file that breaks the order."""
    here = layer(file)
    for number, line in enumerate(open(os.path.join(ROOT, file), encoding="utf-8"), 1):
        included = re.match(r'#include "((?:common|lessons|tests)/.*)"', line)
        if not included:
            continue
        there, where = included[1], f"{file}:{number} includes {included[1]}"
        if LAYERS.index(layer(there)) > LAYERS.index(here):
            yield f"{where}: {here} stands before {layer(there)}"
        elif here == "lessons" == layer(there) and there.split("/")[1] != file.split("/")[1]:
            yield f"{where}: a lesson of another one"


files = [os.path.relpath(f, ROOT) for top in ("common", "lessons", "tests")
         for f in glob.glob(f"{ROOT}/{top}/**/*.[ch]pp", recursive=True)]
unknown = sorted({layer(f) for f in files} - set(LAYERS))
upward = [line for file in sorted(files) for line in points_upward(file)] + [f"common/{u}/ is no layer" for u in unknown]
print(*upward, sep="\n", end="\n" if upward else "")
sys.exit(len(upward) > 0 or not files)
