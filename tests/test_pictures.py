"""Draws each picture that a README shows anew, by the part of its section or, before the first, by the part whose source
names it, and compares it with the tracked one.
Run: python3 tests/test_pictures.py build [LESSON...], from the root. SPDX-License-Identifier: MIT"""
import glob, os, re, subprocess, sys, tempfile

NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?(?:e-[0-9]+)?)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def alike(drawn, tracked):
    """Do two lines differ only in numbers: places, which stand before their labels, by at most 4 px and labels by 5 percent?"""
    if NUMBER.sub("#", drawn) != NUMBER.sub("#", tracked): return False
    for i, (value, expected) in enumerate(zip(map(float, NUMBER.findall(drawn)), map(float, NUMBER.findall(tracked)))):
        label = drawn.startswith("<text") and i >= 2
        if abs(value - expected) > (0.05 * max(abs(expected), 1) if label else 4): return False
    return True


def difference(drawn, tracked):
    """How two drawings differ; compilers round differently, and training carries that on. Cells, and all but the ends of a
    curve, are left out."""
    def comparable(svg): return re.sub(r"<path fill=.*\n", "", re.sub(r'(points="\S+ )[^"]*( )', r"\1\2", svg)).splitlines()
    one, other = comparable(drawn), comparable(tracked)
    for a, b in zip(one, other):
        if not alike(a, b): return f"'{a}' was '{b}'"
    return "" if len(one) == len(other) else "elements are missing"


def part_of(folder, name):
    section, readme = "", read(folder + "/README.md")
    for line in readme.splitlines():
        if line.startswith("## "): section = (re.match(r"## (\d+)", line) or [""])[0][3:]
        if line.endswith(f"](pictures/{name})") and section: return section
    drawn = re.compile(rf'(?:picture|figure)\("{name[:-4]}"')
    sources = [s for s in sorted(glob.glob(folder + "/parts/*.cpp")) if drawn.search(read(s))]
    return os.path.basename(sources[0])[:2] if sources else "none"


failed = 0
for folder in sorted(glob.glob("lessons/[0-9]*_*")):
    lesson = folder[len("lessons/"):].split("_")[0]
    if sys.argv[2:] and lesson not in sys.argv[2:]: continue
    with tempfile.TemporaryDirectory() as out:
        for path in sorted(glob.glob(folder + "/pictures/*.svg")):
            name = os.path.basename(path)
            part = part_of(folder, name)
            if not os.path.exists(os.path.join(out, name)):
                subprocess.run([f"{sys.argv[1]}/lesson{lesson}", "--part", str(int(part)) if part.isdigit() else part, "--out", out],
                               stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
            fresh = os.path.join(out, name)
            wrong = difference(read(fresh), read(path)) if os.path.exists(fresh) else "not drawn"
            failed += bool(wrong)
            print(f"FAIL {path}, part {part}: {wrong}; if it should, make pictures" if wrong else f"ok   {path}")
sys.exit(failed > 0)
