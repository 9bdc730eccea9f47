"""Runs a lesson at a range of seeds, lists each claim's figures, and says which runs failed.
Run: python3 tests/seeds.py build LESSON FIRST LAST [FLAG...], from the root; make seeds1 for 101 to 160.
What was run stays in build/seeds, and is run anew when the program is newer. Exit status 1 if any fails.
SPDX-License-Identifier: MIT"""
import concurrent.futures, os, re, statistics, subprocess, sys, tempfile

CLAIM = re.compile(r"\[(ok|FAIL|--)\] (.*?)(?:   (\S+) \((.*)\))?")
NUMBER = r"[-+]?[\d.]+(?:e[-+]?\d+)?"


def printed(seed):
    """Returns what the program prints at this seed, from an earlier run if there is one."""
    path = f"{folder}/{seed}{''.join(flags)}.txt"
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(program):
        with tempfile.TemporaryDirectory() as out:
            command = [program, "--seed", str(seed), "--threads", "1", "--claims", "--out", out, *flags]
            done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode > 1:
            sys.exit(f"{program} --seed {seed}: {done.stderr}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(done.stdout)
    with open(path, encoding="utf-8") as file:
        return file.read()


def claims_of(text):
    """Returns part, status, statement, figure and bound of each claim, whose lines may be broken."""
    found, part = [], ""
    for line in re.sub(r"\n {5,7}(?=\S)", lambda m: "   " if len(m[0]) == 8 else " ", text).split("\n"):
        part = line.split(".")[0] if re.match(r"\d+\. ", line) else part
        if claim := CLAIM.fullmatch(line):
            found.append((part, *claim.groups()))
    return found


def room(figure, bound):
    """Returns how far a figure is from its bound, negative beyond; 0 where it has to be exact."""
    at, *more = [float(number) for number in re.findall(NUMBER, bound)] or [figure]
    sides = {"at most": at - figure, "at least": figure - at, "±": sum(more) - abs(figure - at)}
    named = [distance for words, distance in sides.items() if words in bound]
    return named[0] if named else min(figure - at, more[0] - figure) if more else 0


build, lesson, first, last, *flags = sys.argv[1:]
program, folder = f"{build}/lesson{lesson}", f"{build}/seeds/lesson{lesson}"
os.makedirs(folder, exist_ok=True)
seeds = range(int(first), int(last) + 1)
pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
runs = [claims_of(text) for text in pool.map(printed, seeds)]
print("least, 5 %, median, 95 %, greatest (the bound), room in standard deviations over the seeds")
for same in zip(*runs):
    figures = sorted(float(claim[3]) for claim in same if claim[3])
    if len(set(figures)) > 1:
        shown = "  ".join(f"{figures[round(q * (len(figures) - 1))]:8.3g}" for q in (0, .05, .5, .95, 1))
        away = min(99, min(room(float(claim[3]), claim[4]) for claim in same) / statistics.stdev(figures))
        print(f"{same[0][0]:>2}. {same[0][2][:70]}\n    {shown}   ({same[0][4]}), {away:.1f} sd away")
failed = [(seed, claim[2]) for seed, run in zip(seeds, runs) for claim in run if claim[1] == "FAIL"]
summary = f"lesson {lesson}: {len({seed for seed, _ in failed})} of {len(runs)} runs fail"
print(*(f"seed {seed}: [FAIL] {statement}" for seed, statement in failed), summary, sep="\n")
sys.exit(failed != [])
