"""Draws each picture that a README shows anew, and compares it with the tracked one; with --store it tracks it instead.
What draws it: the flags of which the paragraph before it says that they do, else the part of its section or, before the
first, the part whose source names it.
Run: python3 tests/test_pictures.py build [--store] [LESSON...], from the root. SPDX-License-Identifier: MIT"""
import functools, glob, os, re, shutil, subprocess, sys, tempfile

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


def shown_in(folder):
    """The names of a README's pictures, each with the flags that draw it."""
    section, before, flags = "", "", {}
    for paragraph in read(folder + "/README.md").split("\n\n"):
        if paragraph.startswith("## "): section = (re.match(r"## (\d+)\. ", paragraph) or ["", ""])[1]
        name = re.match(r"!\[.*\]\(pictures/(.*)\.svg\)", paragraph)
        said = re.search(r"`(--part [^`]*)` draws", before)
        if name: flags[name[1]] = said[1] if said else f"--part {section or part_that_draws(folder, name[1])}"
        before = paragraph
    return flags


def part_that_draws(folder, name):
    drawn = re.compile(rf'(?:picture|figure)\(\s*"{name}"')
    return [int(os.path.basename(s)[:2]) for s in sorted(glob.glob(folder + "/parts/*.cpp")) if drawn.search(read(s))][0]


def compared(lesson, draw, store=False):
    """Compares a lesson's pictures with those of draw(flags), which returns the folder where it drew, or None where that
    takes too long; returns how many fail."""
    failed, folder = 0, glob.glob(f"lessons/{lesson}_*")[0]
    shown = shown_in(folder)
    for path in set(glob.glob(folder + "/pictures/*.svg")) - {f"{folder}/pictures/{name}.svg" for name in shown}:
        failed += 1
        print(f"FAIL {path}: no paragraph of the README shows it")
    for name, flags in shown.items():
        place, tracked = draw(flags), f"{folder}/pictures/{name}.svg"
        if not place:
            print(f"left {tracked}, {flags}: not compared here")
            continue
        fresh = f"{place}/{name}.svg"
        if store: shutil.copy(fresh, tracked)
        wrong = difference(read(fresh), read(tracked)) if os.path.exists(fresh) and os.path.exists(tracked) else "not drawn"
        failed += bool(wrong)
        print(f"FAIL {tracked}, {flags}: {wrong}; if it should, make pictures" if wrong else f"ok   {tracked}")
    return failed


def main():
    build, *lessons = [word for word in sys.argv[1:] if word != "--store"]
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        for lesson in lessons or [os.path.basename(folder)[0] for folder in sorted(glob.glob("lessons/[0-9]*_*"))]:
            @functools.cache
            def draw(flags):
                subprocess.run([f"{build}/lesson{lesson}", *flags.split(), "--out", f"{place}/{lesson}{flags}"],
                               stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
                return f"{place}/{lesson}{flags}"
            failed += compared(lesson, draw, "--store" in sys.argv)
    sys.exit(failed > 0)


if __name__ == "__main__": main()
