"""Finds tight forms that neither the compiler nor clang-tidy 14 names. Run from the root:
python3 tests/forms.py [ROOT]. Exit status 1 if one stands.
SPDX-License-Identifier: MIT"""
import glob, os, re, sys

ROOT = sys.argv[1] if len(sys.argv) > 1 else "."
IN_STATEMENTS = {
    "more than two conditional operators": r"\?[^?]*\?[^?]*\?",
    "a conditional operator that chooses a place": r"^(?:\+\+|--)\(.*\?.*\)$|^\((?:[^()]|\([^()]*\))*\?(?:[^()]|\([^()]*\))*\)(?:\.\w+)* [-+*/]?=(?!=)",
    "a conditional operator that chooses a function": r"^\([^()]*\?[^()]*:[^()]*\)\(",
    "a loop whose body is try": r"\bfor \(.*\) try$",
    "arithmetic on a job's number": r"\bjob [%/] |[%/] job\b",
    "an assignment inside another one": r"[-+*/]= [\w.*\[\]]+ [-+*/]?= (?!=)|[^-+*/=!<>]= [\w.*\[\]]+ [-+*/]= ",
}
IN_COMMENTS = {"'so many' is no number's name": r"//.*\bso many\b"}
AS_NAMES = {"a participle is no variable's name": r"(?:auto|std::\w+(?:<[^;=]*>)?|Matrix<\w+>|double|bool|int|long)[&*]? (?:found|made|taken|told)\b(?! *\()"}


def statements(text):
    """Yields (line, statement): code without comments, texts and extra blanks, cut at ; { and }."""
    line, start, statement = 1, 1, ""
    for token in re.finditer(r'//[^\n]*|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|\s+|[;{}]|.', text):
        here = token[0]
        if here in ";{}":
            yield start, statement.strip()
            statement = ""
        elif not here.startswith("//"):
            statement += '""' if here[0] in "\"R'" and len(here) > 1 else " " if here.isspace() else here
        line += here.count("\n")
        if not statement.strip():
            start, statement = line, ""


def faults(file):
    text = open(os.path.join(ROOT, file), encoding="utf-8").read()
    for line, statement in statements(text):
        for patterns in (IN_STATEMENTS, AS_NAMES):
            for what, pattern in patterns.items():
                if re.search(pattern, statement):
                    yield f"{file}:{line}: {what}: {statement[:90]}"
    for what, pattern in IN_COMMENTS.items():
        for match in re.finditer(pattern, text):
            yield f"{file}:{text.count(chr(10), 0, match.start()) + 1}: {what}"


files = sorted(os.path.relpath(f, ROOT) for top in ("common", "lessons", "tests")
               for f in glob.glob(f"{ROOT}/{top}/**/*.[ch]pp", recursive=True))
found = [fault for file in files for fault in faults(file)]
print(*found, sep="\n", end="\n" if found else "")
print(f"forms: {len(files)} files, {len(found)} faults")
sys.exit(len(found) > 0 or not files)
