"""Compares each figure in the last column of lessons/SOURCES.md with what the row names: what a part
printed (tests/stored), the README of a lesson where a row names no part of it, or a file.
Run: python3 tests/test_sources.py, from the root.
SPDX-License-Identifier: MIT"""
import glob, re

PLACE = re.compile(r"\(\d\.\d+\)|(?:lesson|part|section|exercise) [\d.]+|--[\w-]+ [\d.]+|\bas \d\.\d+")
FIGURE = re.compile(r"(?<![\w^.,])(?:\d{1,3}(?:,\d{3})+|\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w])")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def numbers_in(text):
    found = [figure.rstrip(".") for figure in FIGURE.findall(text)]
    return [figure.replace(",", "") for figure in found]


def parts_of(number):
    """Returns what each part printed: by itself, and in its stored runs."""
    printed = {}
    for text in re.split(r"^part ", read(f"tests/stored/printed/{number}.txt"), flags=re.M)[1:]:
        part, _, said = text.partition("\n")
        printed[int(part)] = said
    for path in glob.glob(f"tests/stored/{number}_*.txt"):
        part = int(re.search(r"--part (\d+)", read(path))[1])
        printed[part] = printed.get(part, "") + read(path)
    return printed


def text_named_by(place):
    """Returns the text of all that a cell names."""
    lesson = re.search(r"lesson (\d)", place)
    if not lesson:
        return ""
    files = re.findall(r"[\w/]+\.(?:py|cpp|hpp)", place)
    text = "".join(read(path) for file in files for path in glob.glob(file) + glob.glob(f"lessons/{lesson[1]}_*/{file}"))
    printed = parts_of(lesson[1])
    parts = [int(part) for part in re.findall(r"part (\d+)", place)]
    for part in parts:
        text += printed.get(part, "")
    if not parts or re.search("section|exercise|Further", place):
        text += read(glob.glob(f"lessons/{lesson[1]}_*/README.md")[0])
    return text


def is_rounded(figure, number):
    mantissa, _, exponent = figure.partition("e")
    digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return abs(float(number) - float(figure)) <= .5000001 * 10. ** -digits


failed = compared = 0
for line in read("lessons/SOURCES.md").split("\n"):
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if len(cells) != 4 or not re.fullmatch(r"\d+\.\d+", cells[0]):
        continue
    numbers = numbers_in(text_named_by(cells[2]))
    for figure in numbers_in(PLACE.sub("", cells[3])):
        compared += 1
        if not any(is_rounded(figure, number) for number in numbers):
            failed += 1
            print(f"lessons/SOURCES.md, {cells[0]}: {figure} is not what '{cells[2]}' prints")
print(f"sources: {compared} figures, {failed} of them wrong")
raise SystemExit(failed > 0 or compared < 50)
