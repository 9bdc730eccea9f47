"""Compares each table of numbers in a README, digit by digit, with what the program prints: the
section's part at the standard seed, or a stored run. A stored run, in turn, must agree with a
smaller one of today within its own spread, which prints what it printed when it was stored. Each
picture of the README is compared with the one that the same runs draw (test_pictures.py).
Run: python3 tests/test_tables.py build [LESSON], after make lessons; `make stored` makes the stored
runs anew, and says which figures moved.

A file in tests/stored begins with two lines: its command, and "smaller (3 of 20): COMMAND"; behind
its tables and a line "smaller:" stand those of the smaller run, without what both print alike.
tests/stored/printed has what each part prints with --claims, as far as there are numbers in it: each
is compared, whatever words stand around it, so no figure that is printed moves unnoticed. What is
bounded by at most 1e-6 is rounding, which differs between processors: it must keep to its bound.
Training follows the last digits of each product. So where these are not those of the stored runs
(g++ 12 with AVX-512), only claims are compared, and a figure may differ by as much as its bound
leaves open.
SPDX-License-Identifier: MIT"""
import atexit, difflib, functools, glob, itertools, math, os, re, shutil, subprocess, sys, tempfile

import test_pictures

NUMBER = r"[-+]?\d*\.?\d+(?:e[-+]?\d+)?"
WITH_ERROR = re.compile(rf"({NUMBER})(?:\(({NUMBER})\)|±({NUMBER}))")
PROSE = {"exercise", "symbol", "file", "rule", "mistake"}  # first titles of tables that compute nothing


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def plain(cell):
    """Returns the cell as both sides write it: .5 and 0.5, 1,024 and 1024, **x** and x are one."""
    cell = re.sub(r"[\s`]|\*\*", "", cell.lower())
    cell = re.sub(r"(?<=\d),(?=\d{3})", "", cell)
    return re.sub(r"(?<![\d.])0(?=\.\d)", "", cell)


def blocks_of(text):
    """Returns the lines of each table of a run: head, hyphens, rows."""
    blocks, lines = [], text.split("\n")
    starts = [at for at, line in enumerate(lines) if re.fullmatch(r"(  +-+)+", line)]
    for at in starts:
        end = at + 1
        while end < len(lines) and lines[end].startswith("  ") and end + 1 not in starts:
            end += 1
        blocks.append(lines[at - 1:end])
    return blocks


def printed_tables(text):
    """Returns tables of a run, each a list of rows of plain cells, the head first."""
    tables = []
    for head, hyphens, *lines in blocks_of(text):
        spans = [match.span() for match in re.finditer(r"-+", hyphens)]
        rows = [[plain(row[first:last]) for first, last in spans] for row in [head] + lines]
        first = [row[0] for row in rows]
        if tables and first == [row[0] for row in tables[-1]]:  # too wide for a terminal, cut in two
            tables[-1] = [before + row[1:] for before, row in zip(tables[-1], rows)]
        else:
            tables.append(rows)
    return tables


def tables_of_readme(path):
    """Returns (section, line, rows) of each table that holds numbers; "### ... section 6" is 6's."""
    found, section, numbered, rows = [], None, None, []
    for at, line in enumerate(read(path).split("\n") + [""], 1):
        if line.startswith("## "):
            title = re.match(r"## (\d+)\.", line)
            section = numbered = int(title[1]) if title else None
        if line.startswith("### "):
            title = re.search(r"section (\d+)", line)
            section = int(title[1]) if title else numbered
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if rows and rows[0][0] not in PROSE and any(re.search(r"\d", c) for r in rows[2:] for c in r):
            found.append((section, at - len(rows), [[plain(c) for c in r] for r in rows[2:]]))
        rows = []
    return found


def same(printed, wanted):
    """Tells whether a printed cell, rounded to the README's digits, is the README's."""
    if re.sub(NUMBER, "#", printed) != re.sub(NUMBER, "#", wanted):
        return False
    for long, short in zip(re.findall(NUMBER, printed), re.findall(NUMBER, wanted)):
        mantissa, _, exponent = short.partition("e")
        digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
        if abs(float(long) - float(short)) > .5000001 * 10. ** -digits:
            return False
    return True


def holds(printed, row):
    """Tells whether the README's cells stand in a printed row, in this order."""
    cells = iter(printed)
    return all(not wanted or any(same(cell, wanted) for cell in cells) for wanted in row)


def first_missing(table, rows):
    return next((row for row in rows if not any(holds(printed, row) for printed in table)), None)


@functools.cache
def place_of(command):
    """Returns the folder in which a command draws, another for each, and with a name of one length: printed lines hold it."""
    place = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, place)
    return place


def run(command):
    words = command.split()
    words[0] = os.path.join(BUILD, os.path.basename(words[0]))
    done = subprocess.run(words + ["--out", place_of(command)], text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        fail(f"{command}: exit status {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done.stdout


def fail(what):
    global failed
    failed += 1
    print(what)


def stored_runs(number):
    for path in sorted(glob.glob(f"tests/stored/{number}_*.txt")):
        command, smaller, tables = read(path).split("\n", 2)
        yield path, command, re.fullmatch(r"smaller \((\d+) of (\d+)\): (.*)", smaller), tables.split("smaller:\n")


def of_one_head(tables):
    """Returns the tables, those of one head as one: a README may show rows of several runs together."""
    rows = {}
    for head, *own in tables:
        rows.setdefault(tuple(head), []).extend(own)
    return [[list(head)] + own for head, own in rows.items()]


def compare_readme(number, path):
    stored = [(command, printed_tables(texts[0])) for _, command, _, texts in stored_runs(number)]
    readme = " ".join(read(path).split())
    for _, command in ((p, c) for p, c, _, _ in stored_runs(number)):
        if command.split(" ", 1)[1] not in readme:
            fail(f"{path}: does not name the stored run '{command}'")
    said = {}
    for section, line, rows in tables_of_readme(path):
        if section is not None and section not in said:
            said[section] = printed_tables(printed(number, str(section)))
        parts = said.values() if section is None else [said.get(section, [])]  # "Further" shows any part's
        sources = sum(parts, []) + of_one_head(table for _, tables in stored for table in tables)
        missing = [first_missing(table, rows) for table in sources]
        if None in missing:
            continue
        closest = max(missing, key=rows.index, default=rows[0])
        fail(f"{path}:{line}: no run prints the row {' | '.join(closest)}")


def cells_of(tables):
    """Returns the cells by their table's first title, their row's first cell and their column's title."""
    return {(head[0], row[0], title): cell for head, *rows in tables for row in rows for title, cell in zip(head, row)}


def compare_smaller(path, smaller, texts):
    """Means of `few` runs lie within four of their own errors of those of `many`; and today's few
    print the tables that they printed, so that an error or an unpaired pair is noticed, too."""
    few, many = int(smaller[1]), int(smaller[2])
    part = re.fullmatch(r"lesson(\d) --part (\d+)", smaller[3])
    compared, today = 0, printed_tables(printed(*part.groups()) if part else run(smaller[3]))
    rows = [row for table in today for row in table]
    for row in (row for table in printed_tables(texts[1] if len(texts) > 1 else "") for row in table):
        if row not in rows:
            fail(f"{path}: {smaller[3]} no longer prints {' | '.join(row)}")
    again = cells_of(today)
    for place, cell in cells_of(printed_tables(texts[0])).items():
        then, now = WITH_ERROR.match(cell), WITH_ERROR.match(again.get(place, ""))
        if not then or not now:
            continue
        compared += 1
        deviation = float(then[3]) if then[3] else float(then[2]) * many ** .5
        if abs(float(then[1]) - float(now[1])) > 4 * deviation / few ** .5:
            fail(f"{path}: {place}: stored {cell}, now {again[place]}")
    if not compared:
        fail(f"{path}: the smaller run has nothing to compare")


def parts_of(number):
    first, last = re.search(r"run this part only \((\d+) to (\d+)\)", run(f"lesson{number} --help")).groups()
    return [str(part) for part in range(int(first), int(last) + 1)]


def with_claims(number, part):
    return f"lesson{number} --part {part} --claims"


@functools.cache
def printed(number, part):
    return run(with_claims(number, part))


def drawn(number, flags):
    """Returns the folder with the pictures of a part's own run; test_pictures.py draws those of longer ones."""
    part = re.fullmatch(r"--part (\d+)", flags)
    if not part:
        return None
    printed(number, part[1])
    return place_of(with_claims(number, part[1]))


def lines_with_numbers(number):
    """Returns lines under the name of their part; what is said of files and seconds is not part of it."""
    found = []
    for part in parts_of(number):
        found.append(f"part {part}")
        text, place = printed(number, part).split("\n\n", 1)[1], place_of(with_claims(number, part))
        found += [line for line in text.split("\n") if re.search(r"\d", line) and place not in line]
    return found


BOUND = re.compile(rf"({NUMBER}) \((?:(at most|at least) ({NUMBER})|({NUMBER}) to ({NUMBER})|({NUMBER}) ± ({NUMBER}))\)$")


def figures(line):
    """Returns a line's numbers. Rounding is as good as its bound, but not as 0, which is what a thing
    compared with itself leaves; so are numbers below 1e-9."""
    bound = BOUND.search(line)
    least = float(bound[3]) if bound and bound[2] == "at most" and float(bound[3]) <= 1e-6 else 1e-9
    numbers = map(float, re.findall(NUMBER, line))
    return [least if 0 < abs(number) <= least else number for number in numbers]


def claims_in(lines):
    """Returns (part, figure, what its bound leaves open) of each claim that has a bound."""
    part, found = "", []
    for line in lines:
        part = line if line.startswith("part ") else part
        if bound := BOUND.search(line):
            _, side, limit, low, high, _, off = bound.groups()
            room = abs(float(limit)) if side == "at most" else math.inf if side else float(off or float(high or 0) - float(low or 0))
            found.append((part, line.strip(), float(bound[1]), room))
    return found


def compare_claims(number):
    """Compares the claims alone, where training followed other digits."""
    stored, today = claims_in(read(printed_path(number)).split("\n")), claims_in(lines_with_numbers(number))
    if len(stored) != len(today):
        return fail(f"lesson {number}: {len(stored)} claims with bounds are stored, and {len(today)} made")
    for (part, then, before, room), (_, now, after, _) in zip(stored, today):
        if not abs(after - before) <= room * (1 + 1e-9):
            fail(f"lesson {number}, {part}: stored '{then}', now '{now}'")


def printed_path(number):
    return f"tests/stored/printed/{number}.txt"


def compare_printed(number):
    stored, today = read(printed_path(number)).split("\n")[:-1], lines_with_numbers(number)
    part = ""
    for then, now in itertools.zip_longest(stored, today, fillvalue="nothing"):
        part = then if then.startswith("part ") else part
        if figures(then) != figures(now):
            return fail(f"lesson {number}, {part}: stored '{then.strip()}', now '{now.strip()}'")


def default_blocks(number, command):
    """Returns the tables that the part prints by itself."""
    return blocks_of(run(re.match(r"lesson\d --part \d+", command)[0]))


def tell_moves(number, stored, today):
    """Says which figures moved, and by how much; of lines that came or went only what they are."""
    differ = difflib.SequenceMatcher(None, stored, today, autojunk=False)
    for kind, i, end, j, last in differ.get_opcodes():
        if kind == "equal":
            continue
        for then, now in itertools.zip_longest(stored[i:end], today[j:last], fillvalue=""):
            pairs = list(zip(figures(then), figures(now)))
            moved = [f"{a:g} to {b:g}" + (f" ({b / a - 1:+.2%})" if a else "") for a, b in pairs if a != b]
            if moved or not (then and now):
                print(f"lesson {number}: {then.strip()[:60] or 'new'} | {now.strip()[:60] or 'gone'} | {', '.join(moved)}")


def store():
    """Makes the stored runs anew, each without what the part prints by itself or an earlier one has."""
    for number in NUMBERS:
        seen = []
        for path, command, smaller, _ in list(stored_runs(number)):
            own, many, few = default_blocks(number, command), blocks_of(run(command)), blocks_of(run(smaller[3]))
            new = [block for block in many if block not in seen + own + few]
            again = [block for block in few if block not in many]
            seen += new
            text = "\n\n".join("\n".join(block) for block in new + [["smaller:"]] + again)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{command}\n{smaller[0]}\n{text}\n")
        lines = lines_with_numbers(number)
        tell_moves(number, read(printed_path(number)).split("\n")[:-1], lines)
        with open(printed_path(number), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def same_arithmetic():
    """Tells whether the programs compute with the digits of the stored runs."""
    asked = read(f"{BUILD}/asked")
    native = "-march=native" in asked and os.path.exists("/proc/cpuinfo") and "avx512f" in read("/proc/cpuinfo")
    return asked.startswith("g++ ") and " version 12." in asked and (native or "-march=x86-64-v4" in asked)


failed = 0
BUILD = sys.argv[1]
NUMBERS = [n for n in sys.argv[2:] if n.isdigit()] or sorted(
    os.path.basename(folder)[0] for folder in glob.glob("lessons/[0-9]*_*"))
if "--store" in sys.argv:
    store()
    sys.exit(failed > 0)
for number in NUMBERS:
    failed += test_pictures.compared(number, functools.partial(drawn, number))
    if not same_arithmetic():
        print(f"lesson {number}: other digits than those of the stored runs, so claims alone are compared")
        compare_claims(number)
        continue
    compare_readme(number, glob.glob(f"lessons/{number}_*/README.md")[0])
    compare_printed(number)
    for path, _, smaller, texts in stored_runs(number):
        compare_smaller(path, smaller, texts)
print(f"test_tables: {failed} failed")
sys.exit(failed > 0)
