"""Spoils each hand-derived line in turn and demands that a test notices.
Run: make mutants, or python3 tests/mutants.py [WORD], from the root, after make has built the tests; WORD: only files or
slips that hold it. Exit status 1 when a mutant survives, a slip finds its place not once, or a gradient bears no mark.

The mark is the word back at the end of a line's comment. Of what lies in a lesson its test must notice, of common/X.hpp
tests/test_X.cpp. To compile each mutant alone would take seconds, so one program holds all of a file, and the number in
MUTANT says at its start which one it is. What is no gradient is spoilt place by place: tests/slips.txt.
SPDX-License-Identifier: MIT"""
import concurrent.futures, glob, os, re, shutil, subprocess, sys

COMPILE = os.environ.get("CXX", "g++").split() + "-std=c++20 -O1 -w -D_GLIBCXX_ASSERTIONS -pthread".split()
SHOP = "build/mutants"
WORD = sys.argv[1] if len(sys.argv) > 1 else ""
PRELUDE = "#include <cstdlib>\ninline const int mutant = std::getenv(\"MUTANT\") ? std::atoi(std::getenv(\"MUTANT\")) : 0;\n"


def closing(text, opening):
    """Where the bracket that opens there is closed."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return len(text)


def arguments(text):
    """What stands between the commas that are outside of its brackets."""
    depth, found = 0, [""]
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        found = found + [""] if c == "," and depth == 0 else found[:-1] + [found[-1] + c]
    return [one.strip() for one in found]


def spoilt(text):
    """What a derivation by hand could have made of an expression: a sign, a factor, a transpose, a term, a constant."""
    found = [f"-1 * ({text})", f"2 * ({text})"]
    for call in re.finditer(r"\b(transpose|matmul|matmul_into|hadamard|zip)\(", text):
        name, end = call[1], closing(text, call.end() - 1)
        args, wrong = arguments(text[call.end():end]), []
        first = [args.pop(0)] if name == "matmul_into" else []
        if name == "transpose" or name == "hadamard":
            wrong = [f"({one})" for one in args]
        elif len(args) >= 2:
            pairs = [args[1], args[0]], [args[0], f"2 * ({args[1]})"]
            wrong = [f"{name}({', '.join(first + pair + args[2:])})" for pair in pairs]
        found += [text[:call.start()] + w + text[end + 1:] for w in wrong]
    for a, b in [(r" \+ ", " - "), (" - ", " + "), (r"\+= ", "= "), ("-= ", "= "), ("Write::add", "Write::set"),
                 (r"_prime\b", ""), (r"\.prime\b", ".value"), (r"\b1 - ", "1 + ")]:
        found += [text[:m.start()] + b + text[m.end():] for m in re.finditer(a, text)]
    for m in re.finditer(r"(?<![\w.\[])(?<![<>] )(\d+(?:\.\d+)?)(?![\w.\]])", text):
        if text[:m.start()].endswith(("Matrix<T>(", "cols(), ")):
            continue  # a size
        wrong = "0.001" if float(m[1]) == 0 else "1.001 * " + m[1]
        if re.search(r"\.row\([^()]*$", text[:m.start()]):
            wrong = f"({m[1]} + 1)"  # of a place
        found.append(text[:m.start()] + wrong + text[m.end():])
    return found


def mutants_of(statement):
    """The text in front of the spoilt expression, the mutants of what follows, the type of a declaration."""
    head = re.match(r"( *(?:(?:if|for|while)(?: constexpr)? \(|else ))", statement)
    front = ""
    if head and "(" in head[0]:
        end = closing(statement, head.end() - 1) + 1
        front, statement = statement[:end] + " ", statement[end:]
    statement = statement.strip().rstrip(";")
    result = re.match(r"return (.*)", statement, re.S)
    declared = re.match(r"((?:const )?[\w:]+(?:<[^=]*>)?[&*]? (?:const )?\w+ = )(.*)", statement, re.S)
    assigned = re.match(r"([^=(]*(?:\([^=]*\))? [+-]?= )(.*)", statement, re.S)
    if result:
        return front + "return ", result[1], spoilt(result[1]), "auto"
    if declared:
        return front + declared[1].replace("&", ""), declared[2], spoilt(declared[2]), "auto"
    if assigned and re.search(r"[\w>] +[\w(*]", re.sub(r"\(.*\)|\[.*\]", "", assigned[1].split("=")[0])):
        return front, statement, [], ""  # a member with its start, or another declaration
    if assigned:
        wrong = [assigned[1] + w for w in spoilt(assigned[2])] + [";"]
        return front, statement, wrong + [assigned[1].replace("+=", "=") + assigned[2]] * ("+=" in assigned[1]), ""
    if not re.match(r"[\w.:>-]+\(", statement):  # declares, and computes nothing
        return front, statement, [], ""
    return front, statement, [w for w in spoilt(statement)[2:] if w != statement] + [";"], ""


class Place:
    """A marked statement of a file: its lines, counted from 0, and its mutants with their numbers."""

    def __init__(self, lines, last):
        self.first, self.last = last, last
        code = lambda k: re.sub(r" *//.*", "", lines[k])
        while self.first > 0 and code(self.first - 1).strip() and code(self.first - 1)[-1] not in ";{}:":
            self.first -= 1
        self.text = " ".join(code(k).strip() for k in range(self.first, last + 1))
        self.tail = re.search(r"[{}]*$", self.text)[0]  # the end of a one-line function or lambda
        body = self.text[:len(self.text) - len(self.tail)].strip()
        opens = body.find("{ ") + 2 if self.tail.endswith("}") and "{ " in body else 0
        self.front, self.right, self.wrong, self.kind = mutants_of(body[opens:])
        self.front = body[:opens] + self.front
        self.numbers = {}

    def lines(self, alive):
        """The source in its place, each mutant on a line of its own."""
        mine = [(n, w) for n, w in self.numbers.items() if n in alive]
        if self.kind:
            chain = "".join(f"\nmutant == {n} ? decltype({self.right})({w}) :" for n, w in mine)
            return f"{self.front}{chain}\n({self.right});{self.tail}"
        return f"{self.front}{{" + "".join(f"\nif (mutant == {n}) {{ {w}; }} else" for n, w in mine) + f"\n{{ {self.right}; }} }}{self.tail}"


def build(test, folder, replaced=""):
    """Compiles a test with what lies in front of the tree; what the compiler says, empty where it is content."""
    lesson = re.search(r"lesson(\d)", test)
    parts = ["common/loss.cpp", *(glob.glob(f"lessons/{lesson[1]}_*/models.cpp") if lesson else [])]
    alone = {"common/fast/product.cpp", "common/exercise/exercise.cpp"}
    parts += [f"{folder}/{s}" if s == replaced else f"build/{s[:-4]}.o" for s in alone]
    with_it = lambda unit: replaced and replaced not in alone and f'"{replaced}"' in open(unit).read()
    parts += [s if with_it(s) else s[:-3] + "o" for s in glob.glob("build/common/*/all.cpp")]  # compiled as one, anew
    command = [*COMPILE, "-I" + folder, "-I.", f"tests/{test}.cpp", *parts, "-o", folder + "/test"]
    said = subprocess.run(command, capture_output=True, text=True)
    return "" if said.returncode == 0 else said.stderr


def noticed(program, number="0"):
    try:
        return subprocess.run([program], env={**os.environ, "MUTANT": str(number)}, capture_output=True, timeout=120).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def spoil(file):
    """Tries every mutant of a file. Returns how many compiled, and lines that say what survived."""
    lines = open(file).read().split("\n")
    marked = [k for k, line in enumerate(lines) if re.search(r"//.*\bback$", line) and re.sub(r" *//.*", "", line).strip()]
    places, count = [p for p in (Place(lines, k) for k in marked) if p.wrong and not p.text.endswith("= nullptr;")], 0
    covered = {k for p in places for k in range(p.first, p.last + 1)}
    unmarked = [f"NO MARK {file}:{k + 1}" for k, line in enumerate(lines)
                if re.match(r" *((g\.parameters[\w.]*|(const )?Matrix<T> d[A-Z]\w*) ?\+?=|matmul_into\(d[A-Z]\w*,)", line) and k not in covered
                and not re.search(r"back$|\(.*rows\(\)", line)]
    for place in places:
        for wrong in dict.fromkeys(place.wrong):
            count += 1
            place.numbers[count] = wrong
    alive, folder = set(range(1, count + 1)), f"{SHOP}/{file.replace('/', '_')}"
    lesson, stem = re.match(r"lessons/(\d)", file), os.path.basename(file)[:-4]
    test = "test_" + (f"lesson{lesson[1]}" if lesson else {"model": "matrix", "training": "lesson2", "loss": "optimizer"}.get(stem, stem))
    os.makedirs(f"{folder}/{os.path.dirname(file)}", exist_ok=True)
    for _ in range(8):  # what does not compile is no mutant
        at = {p.first: p.lines(alive) for p in places}
        written = (PRELUDE + "\n".join(at.get(k, lines[k]) for k in range(len(lines)) if k in at or k not in covered)).split("\n")
        open(f"{folder}/{file}", "w").write("\n".join(written))
        said = build(test, folder)
        if not said:
            break
        bad = {int(m[1]) for n in re.findall(re.escape(f"{folder}/{file}") + r":(\d+):", said)
               for m in [re.search(r"mutant == (\d+)\)? ", written[int(n) - 1])] if m}
        if not bad & alive:
            return 0, [f"{file} with its mutants does not compile: {said[:2000]}"]
        alive -= bad
    if noticed(folder + "/test"):
        return 0, [f"{test} fails unspoilt"]
    where = {n: (p, w) for p in places for n, w in p.numbers.items()}
    survives = [n for n in sorted(alive) if not noticed(folder + "/test", n)]
    return len(alive), unmarked + [f"SURVIVES {file}:{where[n][0].first + 1} {where[n][0].front}{where[n][1]}" for n in survives]


def slip(line):
    """Tries a line of slips.txt: file @ test @ what stands there, once @ what a slip puts there."""
    file, test, right, wrong = (line.split(" @ ") + [""])[:4]
    text, folder = open(file).read(), f"{SHOP}/slip{abs(hash(line))}"
    places = list(re.finditer(r"\s+".join(map(re.escape, right.split())), text))  # however its lines are broken
    if len(places) != 1:
        return 0, [f"{'NOT ONCE' if places else 'NOT THERE'} {line}"]
    start, end = places[0].span()
    os.makedirs(f"{folder}/{os.path.dirname(file)}", exist_ok=True)
    open(f"{folder}/{file}", "w").write(text[:start] + wrong + text[end:])
    said = build(test, folder, file if file.endswith(".cpp") else "")
    if said:
        return 0, [f"NO SLIP {line}: {said[:500]}"]
    return 1, [] if noticed(folder + "/test") else [f"SURVIVES {line}"]


def misprint(readme):
    """Spoils each numbered formula of a README: a sign, a transpose, a factor, an index; build/lessonN --equations must
    notice. Not the transpose behind a bracket, (x, 1)·S·(x, 1)ᵀ, without which a row times a row is the same number."""
    lines, folder = open(readme).read().split("\n"), f"{SHOP}/{os.path.dirname(readme)}"
    program, made, survives, code = f"build/lesson{readme[8]}", 0, [], False
    for part in "build", "common/data", os.path.dirname(readme):
        os.makedirs(f"{folder}/{part}", exist_ok=True)
    open(folder + "/common/data/play.txt", "w").close()  # the mark of a course, in which the copied program looks for its README
    shutil.copy(program, f"{folder}/{program}")

    def wrong(text):
        open(f"{folder}/{readme}", "w").write(text)
        return subprocess.run([f"{folder}/{program}", "--equations"], capture_output=True, text=True)

    said = wrong("\n".join(lines))
    if said.returncode:
        return 0, [f"{readme} unspoilt: {said.stdout[-200:]}{said.stderr}"]
    runs = set(re.findall(r"^(\(\d\.\d+\)(?: back)?) +equal", said.stdout, re.M))
    for k, line in enumerate(lines):
        code = code != bool(re.match("```cpp|```$" if code else "```cpp", line))
        number = re.search(r"\(\d\.\d+\)(?: back)?$", line)
        if code or not number or number[0] not in runs:
            continue
        for pattern, instead in [(r" = -?", " = 2·"), (r"(?<!\))ᵀ", ""), (r" \+ ", " - "), (r" - ", " + "), (r"\[(\w),(\w)", r"[\2,\1")]:
            equals = re.search(" (=|\\+=|←) ", line)
            at = equals.start() if equals else 0
            spoilt = line[:at] + re.sub(pattern, instead, line[at:number.start()], count=1) + line[number.start():]
            if spoilt != line:
                made += 1
                if wrong("\n".join(lines[:k] + [spoilt] + lines[k + 1:])).returncode == 0:
                    survives.append(f"SURVIVES {readme}:{k + 1} {spoilt}")
    return made, survives


files = [f for f in glob.glob("common/*.hpp") + glob.glob("lessons/*/*.hpp") if WORD in f and re.search(r"\bback$", open(f).read(), re.M)]
slips = [s for s in open("tests/slips.txt").read().split("\n") if " @ " in s and not s.startswith("#") and WORD in s]
readmes = [f for f in sorted(glob.glob("lessons/*/README.md")) if WORD in f]
made, wrong = 0, []
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for number, lines in [*pool.map(misprint, readmes), *pool.map(spoil, files), *pool.map(slip, slips)]:
        made += number
        wrong += lines
        print(*lines, sep="\n", end="\n" if lines else "", flush=True)
print(f"mutants: {made} made in {len(readmes)} READMEs, {len(files)} files and {len(slips)} slips, {len(wrong)} survive or do not fit")
sys.exit(1 if wrong else 0)
