"""The folders of common/ are layers: a file includes only what stands before it in this order, or
beside it. A lesson includes common/ and its own folder. Prints what points upward.
Run: python3 tests/layers.py [ROOT], from the root.
SPDX-License-Identifier: MIT"""
import glob, os, re, sys

LAYERS = ["text", "fast", "core", "terminal", "files", "data", "plot", "formula", "page"]
LAYERS += ["derive", "exercise", "lesson", "web", "lessons", "tests"]
ROOT = sys.argv[1] if len(sys.argv) > 1 else "."


def layer(path):
    """The layer of a path from the root: common/*.hpp is the core, common/frame/plot/*.hpp is plot."""
    folder, *others = path.split("/")[:-1]
    if folder != "common":
        return folder
    return others[-1] if others else "core"


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


sources = [glob.glob(f"{ROOT}/{top}/**/*.[ch]pp", recursive=True)
           for top in ("common", "lessons", "tests")]
files = sorted(os.path.relpath(file, ROOT) for file in sum(sources, []))
unknown = sorted({layer(file) for file in files} - set(LAYERS))
problems = [line for file in files for line in points_upward(file)]
problems += [f"common/{folder}/ is no layer" for folder in unknown]
for problem in problems:
    print(problem)
sys.exit(len(problems) > 0 or not files)
