"""Runs a lesson at a range of seeds, and lists for each claim its least figure, its quantiles, its
greatest, and how far away its bound is, in standard deviations over the seeds; then which runs failed.
Run: python3 tests/seeds.py build LESSON FIRST LAST [FLAG...], from the root; make seeds1 for seeds 101
to 160. What was run stays in build/seeds, and is run anew when the program is newer.
SPDX-License-Identifier: MIT"""
import concurrent.futures, os, re, statistics, subprocess, sys, tempfile

CLAIM = re.compile(r"\[(ok|FAIL|--)\] (.*?)(?:   (\S+) \((.*)\))?")
NUMBER = r"[-+]?[\d.]+(?:e[-+]?\d+)?"


def printed(program, folder, seed, flags):
    """Returns what the program prints at this seed, from an earlier run if there is one."""
    path = os.path.join(folder, f"{seed}{''.join(flags)}.txt")
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(program):
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([program, "--seed", str(seed), "--threads", "1", "--claims", "--out", out, *flags],
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode > 1:
            sys.exit(f"{program} --seed {seed}: {done.stderr}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(done.stdout)
    with open(path, encoding="utf-8") as file:
        return file.read()


def claims_of(text):
    """Returns (part, status, statement, figure, bound) of each claim."""
    found, part = [], ""
    for line in re.sub(r"\n {5,7}(?=\S)", lambda m: "   " if len(m[0]) == 8 else " ", text).split("\n"):
        part = line.split(".")[0] if re.match(r"\d+\. ", line) else part
        if claim := CLAIM.fullmatch(line):
            found.append((part, *claim.groups()))
    return found


def slack(figure, bound):
    """Returns how far a figure is from its bound, negative beyond; none where it has to be exact."""
    numbers = [float(number) for number in re.findall(NUMBER, bound)]
    if bound.startswith("at most"):
        return numbers[0] - figure
    if bound.startswith("at least"):
        return figure - numbers[0]
    if " to " in bound:
        return min(figure - numbers[0], numbers[1] - figure)
    return numbers[1] - abs(figure - numbers[0]) if "±" in bound else None


build, lesson, first, last, *flags = sys.argv[1:]
program, folder = f"{build}/lesson{lesson}", f"{build}/seeds/lesson{lesson}"
os.makedirs(folder, exist_ok=True)
seeds = range(int(first), int(last) + 1)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    runs = [claims_of(text) for text in pool.map(lambda seed: printed(program, folder, seed, flags), seeds)]
for same in zip(*runs):
    part, _, statement, figure, bound = same[0]
    figures = sorted(float(one[3]) for one in same if one[3])
    if len(set(figures)) > 1:
        away = [slack(float(one[3]), one[4]) for one in same]
        nearest = "exact" if None in away else f"{min(away) / statistics.stdev(figures):.1f} sd"
        shown = "  ".join(f"{figures[round(q * (len(figures) - 1))]:8.3g}" for q in (0, .05, .5, .95, 1))
        print(f"{part:>2}. {statement[:70]}\n    {shown}   ({bound}), {nearest} away")
failed = {seed: [one[2] for one in run if one[1] == "FAIL"] for seed, run in zip(seeds, runs)}
for seed, statements in failed.items():
    print("".join(f"seed {seed}: [FAIL] {statement}\n" for statement in statements), end="")
print(f"lesson {lesson}: {sum(map(bool, failed.values()))} of {len(runs)} runs fail")
