"""Spoils each hand-derived line in turn and demands that a test notices.
Run: make mutants, or python3 tests/mutants.py [WORD], from the root, after make has built the
tests; WORD: only files or slips that hold it. Exit status 1 when a mutant survives, a slip does not
find its place exactly once, or a gradient bears no mark.

The mark is the word back at the end of a line's comment. A lesson's own test must notice, for
common/X.hpp tests/core/X.cpp. Compiling each mutant alone would take seconds, so one program holds
all of a file, and MUTANT numbers the one that runs. tests/slips.txt spoils the rest, place by place.
SPDX-License-Identifier: MIT"""
import concurrent.futures, glob, os, re, shutil, subprocess, sys

FLAGS = "-std=c++20 -O1 -w -D_GLIBCXX_ASSERTIONS -pthread"
COMPILE = os.environ.get("CXX", "g++").split() + FLAGS.split()
SHOP = "build/mutants"
PRELUDE = """#include <cstdlib>
inline const int mutant = std::getenv("MUTANT") ? std::atoi(std::getenv("MUTANT")) : 0;
"""
TESTS = {"model": "matrix", "training": "lesson2", "loss": "optimizer"}  # of others: their own name


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def without_comment(line):
    return re.sub(r" *//.*", "", line)


def replaced(text, match, by):
    return text[:match.start()] + by + text[match.end():]


# ------------------------------------------------------------------------------------ spoilt lines


def closing(text, opening):
    """Returns where the bracket that opens there is closed."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return len(text)


def arguments(text):
    """Splits at the commas outside of brackets."""
    depth, parts = 0, [""]
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def spoilt_calls(text):
    """Drops a transpose or a factor, swaps two factors, doubles one."""
    for call in re.finditer(r"\b(transpose|matmul|matmul_into|hadamard|zip)\(", text):
        name, end = call[1], closing(text, call.end() - 1)
        args, wrong = arguments(text[call.end():end]), []
        into = [args.pop(0)] if name == "matmul_into" else []
        if name in ("transpose", "hadamard"):
            wrong = [f"({arg})" for arg in args]
        elif len(args) >= 2:
            first, second, *others = args
            swapped = [[second, first]] if first != second else []
            for pair in *swapped, [first, f"2 * ({second})"]:
                wrong.append(f"{name}({', '.join(into + pair + others)})")
        yield from (text[:call.start()] + w + text[end + 1:] for w in wrong)


SIGNS = [
    (r" \+ ", " - "),
    (" - ", " + "),
    (r"\+= ", "= "),
    ("-= ", "= "),
    ("Write::add", "Write::set"),
    (r"_prime\b", ""),
    (r"\.prime\b", ".value"),
    (r"\b1 - ", "1 + "),
]


def spoilt_constants(text):
    for number in re.finditer(r"(?<![\w.\[])(?<![<>] )(\d+(?:\.\d+)?)(?![\w.\]])", text):
        before = text[:number.start()]
        if before.endswith(("Matrix<T>(", "cols(), ")):
            continue
        wrong = "0.001" if float(number[1]) == 0 else "1.001 * " + number[1]
        if re.search(r"\.row\([^()]*$", before):
            wrong = f"({number[1]} + 1)"  # of a place
        yield replaced(text, number, wrong)


def spoilt(text):
    """Returns what a derivation by hand could get wrong."""
    wrong = [f"-1 * ({text})", f"2 * ({text})", *spoilt_calls(text)]
    for sign, other in SIGNS:
        wrong += [replaced(text, match, other) for match in re.finditer(sign, text)]
    return wrong + [*spoilt_constants(text)]


def mutants_of(statement):
    """Returns the text before the expression, the expression, its mutants, a declaration's type."""
    head = re.match(r"( *(?:(?:if|for|while)(?: constexpr)? \(|else ))", statement)
    front = ""
    if head and "(" in head[0]:
        end = closing(statement, head.end() - 1) + 1
        front, statement = statement[:end] + " ", statement[end:]
    statement = statement.strip().rstrip(";")
    result = re.match(r"return (.*)", statement, re.S)
    if result:
        return front + "return ", result[1], spoilt(result[1]), "auto"
    declared = re.match(
        r"((?:const )?[\w:]+(?:<[^=]*>)?[&*]? (?:const )?\w+ = )(.*)", statement, re.S
    )
    if declared:
        return front + declared[1].replace("&", ""), declared[2], spoilt(declared[2]), "auto"
    assigned = re.match(r"([^=(]*(?:\([^=]*\))? [+-]?= )(.*)", statement, re.S)
    if not assigned:
        computes = re.match(r"[\w.:>-]+\(", statement)  # else it declares
        wrong = [w for w in spoilt(statement)[2:] if w != statement]
        return front, statement, wrong + [";"] if computes else [], ""
    left, right = assigned[1], assigned[2]
    if re.search(r"[\w>] +[\w(*]", re.sub(r"\(.*\)|\[.*\]", "", left.split("=")[0])):
        return front, statement, [], ""  # a member with its start, or another declaration
    wrong = [left + w for w in spoilt(right)] + [";"]
    if "+=" in left:
        wrong.append(left.replace("+=", "=") + right)
    return front, statement, wrong, ""


class Place:
    """A marked statement of a file: its lines, counted from 0, and its mutants by number."""

    def __init__(self, lines, last):
        self.first, self.last = last, last
        while self.first > 0:
            before = without_comment(lines[self.first - 1])
            if not before.strip() or before[-1] in ";{}:":
                break
            self.first -= 1
        self.text = " ".join(without_comment(l).strip() for l in lines[self.first:last + 1])
        self.tail = re.search(r"[{}]*$", self.text)[0]
        body = self.text[:len(self.text) - len(self.tail)].strip()
        one_line = self.tail.endswith("}") and "{ " in body
        opens = body.find("{ ") + 2 if one_line else 0
        self.front, self.right, self.wrong, self.kind = mutants_of(body[opens:])
        self.front = body[:opens] + self.front
        self.numbers = {}

    def source(self, alive):
        """The statement with each mutant on a line of its own."""
        mine = [(n, w) for n, w in self.numbers.items() if n in alive]
        if self.kind:
            chain = [f"mutant == {n} ? decltype({self.right})({w}) :" for n, w in mine]
            return "\n".join([self.front, *chain, f"({self.right});{self.tail}"])
        chain = [f"if (mutant == {n}) {{ {w}; }} else" for n, w in mine]
        return "\n".join([self.front + "{", *chain, f"{{ {self.right}; }} }}{self.tail}"])


def places_of(lines):
    """The marked statements that compute something."""
    for k, line in enumerate(lines):
        if re.search(r"//.*\bback$", line) and without_comment(line).strip():
            place = Place(lines, k)
            if place.wrong and not place.text.endswith("= nullptr;"):
                yield place


def unmarked(lines, covered):
    """The lines that compute a gradient and bear no mark."""
    gradient = r"(g\.parameters[\w.]*|(const )?Matrix<T> d[A-Z]\w*) ?\+?=|matmul_into\(d[A-Z]\w*,"
    for k, line in enumerate(lines):
        if k not in covered and re.match(f" *(?:{gradient})", line):
            if not re.search(r"back$|\(.*rows\(\)", line):
                yield k + 1


# ------------------------------------------------------------------------------------------- tries


def sources_of(test):
    """Returns the files of test_X: one of its own, or one of a folder, with the program that runs it."""
    own = f"tests/{test}.cpp"
    return [own] if os.path.exists(own) else [*glob.glob(f"tests/*/{test[5:]}.cpp"), "tests/main.cpp"]


def build(test, folder, replaced_file=""):
    """Compiles a test with what lies in front of the tree; returns what the compiler says."""
    lesson = re.search(r"lesson(\d)", test)
    parts = ["common/loss.cpp"]
    if lesson:
        parts += glob.glob(f"lessons/{lesson[1]}_*/models.cpp")
    alone = "common/fast/product.cpp"
    parts.append(f"{folder}/{alone}" if alone == replaced_file else f"build/{alone[:-4]}.o")
    for unit in glob.glob("build/common/**/all.cpp", recursive=True):  # anew where it has the file
        anew = replaced_file and replaced_file != alone and f'"{replaced_file}"' in read(unit)
        parts.append(unit if anew else unit[:-3] + "o")
    command = [*COMPILE, "-I" + folder, "-I.", *sources_of(test), *parts, "-o", folder + "/test"]
    compiler = subprocess.run(command, capture_output=True, text=True)
    return "" if compiler.returncode == 0 else compiler.stderr


def noticed(folder, number=0):
    environment = {**os.environ, "MUTANT": str(number)}
    try:
        test = subprocess.run(
            [folder + "/test"], env=environment, capture_output=True, timeout=120
        )
        return test.returncode != 0
    except subprocess.TimeoutExpired:
        return True


def test_of(file):
    lesson, stem = re.match(r"lessons/(\d)", file), os.path.basename(file)[:-4]
    return "test_" + (f"lesson{lesson[1]}" if lesson else TESTS.get(stem, stem))


def build_alive(file, lines, places, covered, alive):
    """Builds a file's mutants. What does not compile leaves `alive`. Returns what else is wrong."""
    folder = f"{SHOP}/{file.replace('/', '_')}"
    said = ""
    for _ in range(8):
        at = {place.first: place.source(alive) for place in places}
        kept = [at.get(k, line) for k, line in enumerate(lines) if k in at or k not in covered]
        written = PRELUDE + "\n".join(kept)
        write(f"{folder}/{file}", written)
        said = build(test_of(file), folder)
        if not said:
            break
        bad = set()
        for number in re.findall(re.escape(f"{folder}/{file}") + r":(\d+):", said):
            match = re.search(r"mutant == (\d+)\)? ", written.split("\n")[int(number) - 1])
            if match:
                bad.add(int(match[1]))
        if not bad & alive:
            return f"{file} with its mutants does not compile: {said[:2000]}"
        alive -= bad
    return f"{test_of(file)} fails unspoilt" if noticed(folder) else ""


def spoil(file):
    """Tries a file's mutants. Returns how many compiled, and lines for those that survived."""
    lines = read(file).split("\n")
    places = [*places_of(lines)]
    covered = {k for place in places for k in range(place.first, place.last + 1)}
    where = {}
    for place in places:
        for wrong in dict.fromkeys(place.wrong):
            number = len(where) + 1
            place.numbers[number] = wrong
            where[number] = f"{file}:{place.first + 1} {place.front}{wrong}"
    alive = set(where)
    problem = build_alive(file, lines, places, covered, alive)
    if problem:
        return 0, [problem]
    folder = f"{SHOP}/{file.replace('/', '_')}"
    survivors = [f"SURVIVES {where[n]}" for n in sorted(alive) if not noticed(folder, n)]
    return len(alive), [f"NO MARK {file}:{k}" for k in unmarked(lines, covered)] + survivors


def slip(line):
    """Tries a line of slips.txt: file @ test @ what stands there, once @ what a slip puts there."""
    file, test, right, wrong = (line.split(" @ ") + [""])[:4]
    text, folder = read(file), f"{SHOP}/slip{abs(hash(line))}"
    anyhow_broken = r"\s+".join(map(re.escape, right.split()))
    places = [*re.finditer(anyhow_broken, text)]
    if len(places) != 1:
        return 0, [f"{'NOT ONCE' if places else 'NOT THERE'} {line}"]
    write(f"{folder}/{file}", replaced(text, places[0], wrong))
    said = build(test, folder, file if file.endswith(".cpp") else "")
    if said:
        return 0, [f"NO SLIP {line}: {said[:500]}"]
    return 1, [] if noticed(folder) else [f"SURVIVES {line}"]


# Of a row the transpose stays: a row times a row is the same number without it.
MISPRINTS = [
    (r" = -?", " = 2·"),
    (r"\b([A-Z]\w*)ᵀ", r"\1"),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r"\[(\w),(\w)", r"[\2,\1"),
]
SYMMETRIC = ["(5.21)"]  # S[p,r] is S[r,p] there


def misprints(lines, numbers):
    """Yields a place and a misprint for each numbered formula of a README that runs: those in blocks
    without a language, or of the language hand."""
    block = None
    for k, line in enumerate(lines):
        if line.startswith("```"):
            block = line[3:] if block is None else None
        number = re.search(r"\(\d\.\d+\)(?: back)?$", line)
        if block not in ("", "hand") or not number or number[0] not in numbers:
            continue
        equals = re.search(" (=|\\+=|←) ", line)
        start = equals.start() if equals else 0
        right = line[start:number.start()]
        for pattern, instead in MISPRINTS[:-1] if number[0] in SYMMETRIC else MISPRINTS:
            wrong = re.sub(pattern, instead, right, count=1)
            if wrong != right:
                yield k, line[:start] + wrong + number[0]


def misprint(readme):
    """Spoils each numbered formula of a README: a sign, a transpose, a factor, an index;
    build/lessonN --equations must notice."""
    lines, folder = read(readme).split("\n"), f"{SHOP}/{os.path.dirname(readme)}"
    program = f"build/lesson{readme[8]}"
    for part in "build", "lessons":
        os.makedirs(f"{folder}/{part}", exist_ok=True)
    # The copied program looks for its README beside this file.
    shutil.copy("lessons/CLOSING.md", folder + "/lessons/CLOSING.md")
    shutil.copy(program, f"{folder}/{program}")

    def run(text):
        write(f"{folder}/{readme}", text)
        command = [f"{folder}/{program}", "--equations"]
        return subprocess.run(command, capture_output=True, text=True)

    unspoilt = run("\n".join(lines))
    if unspoilt.returncode:
        return 0, [f"{readme} unspoilt: {unspoilt.stdout[-200:]}{unspoilt.stderr}"]
    numbers = set(re.findall(r"^(\(\d\.\d+\)(?: back)?) +equal", unspoilt.stdout, re.M))
    tries, survivors = 0, []
    for k, wrong in misprints(lines, numbers):
        tries += 1
        if run("\n".join(lines[:k] + [wrong] + lines[k + 1:])).returncode == 0:
            survivors.append(f"SURVIVES {readme}:{k + 1} {wrong}")
    return tries, survivors


def main(word=""):
    headers = glob.glob("common/*.hpp") + glob.glob("lessons/*/*.hpp")
    files = [f for f in headers if word in f and re.search(r"\bback$", read(f), re.M)]
    slips = [line for line in read("tests/slips.txt").split("\n") if " @ " in line and word in line]
    slips = [line for line in slips if not line.startswith("#")]
    readmes = [f for f in sorted(glob.glob("lessons/*/README.md")) if word in f]
    count, problems = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tries = [(misprint, readmes), (spoil, files), (slip, slips)]
        for results in [pool.map(function, of) for function, of in tries]:
            for number, lines in results:
                count += number
                problems += len(lines)
                for line in lines:
                    print(line, flush=True)
    print(
        f"mutants: {count} made in {len(readmes)} READMEs, {len(files)} files and "
        f"{len(slips)} slips, {problems} survive or do not fit"
    )
    return problems > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
