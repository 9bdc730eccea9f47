"""Finds slips of prose in the READMEs and guides: forms that read as translated or squeezed. It is a net,
not a judge of style: what passes can still be bad.
Run: python3 tests/prose.py [FILE...], from the root. Exit status 1 when it finds any.
SPDX-License-Identifier: MIT"""
import glob, re, sys

NUMBER = r"(?<![\w.\[])-?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w\]])"
REFERENCE = r"\b(?:lessons?|sections?|parts?|exercises?|equations?|tables?|seeds?|layers?|Derive) \d[\d., and]*|\(\d+\.\d+\)|\b(?:19|20)\d\d\b"
VERBS = ("is are was were be been am has have had do does did can could may might must shall should will would "
         "let make take say see try know find look read write turn draw keep give get go come need want mean hold "
         "think ask show use train learn move add count compare stand lie fit run cost add write put call set name").split()
RULES = [
    ("'no' before a noun; write 'not'", r"\b(?:is|are|was|were|be|has|have|had) no (?!longer|more\b|less|better|worse|other|doubt)\w+"),
    ("'one' as a subject; write 'you' or 'we'", r"\b[Oo]ne (?:can|cannot|could|may|must|should|would|needs|wants|sees|finds|knows|gets|writes|reads|folds|has to|does)\b"),
    ("'who' as a subject; name the reader or the thing", r"\b[Ww]hoever\b|(?:^|[;:,] )[Ww]ho (?!\w+ \w+\?)(?:does|has|knows|is|wants|sees|can|says|uses|takes|reads|changes)\b(?![^.]*\?)"),
    ("'where' for 'when'", r"(?:^|; )[Ww]here [^?]*, |\bwhere (?:w|x|y|h|a step|the rate|training) (?:moves|is|falls|grows)\b"),
    ("a second colon; make it a full stop", r": [^:]*: "),
]


def paragraphs(text):
    """Yields (line, text) of paragraphs and items, without code, tables, pictures and headings."""
    fenced, lines, start = False, [], 0
    for at, line in enumerate(text.split("\n") + [""], 1):
        if line.startswith("```"):
            fenced = not fenced
        skipped = fenced or re.match(r"```|\||#|!\[|<|\s*$", line)
        item = re.match(r"\s*(?:[-*]|\d+\.) ", line)
        if (skipped or item) and lines:
            yield start, " ".join(lines)
            lines = []
        if not skipped:
            start = start if lines else at
            lines.append(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", line).strip())


def plain(text):
    """Returns the words alone: links without targets, code as one word, bold without stars."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "Code", text)
    return text.replace("*", "")


def sentences(text):
    return re.split(r"(?<=[.!?]\)) (?=[A-Z(])|(?<=[^A-Z.][.!?]) (?=[A-Z(\d])", text)


def slips(paragraph):
    text = plain(paragraph)
    if re.match(r"\d", text):
        yield text[:60], "a paragraph begins with a number"
    for sentence in sentences(text):
        aside = sentence.startswith("(")
        words = sentence.split()
        if len(words) > 35 and not aside:
            yield sentence, f"{len(words)} words; at most 35"
        for bracket in re.findall(r"\(([^()]*)\)", "" if aside else sentence):
            if len(bracket.split()) > 12:
                yield sentence, "a bracket of more than 12 words inside a sentence"
        numbers = re.findall(NUMBER, re.sub(REFERENCE, "", re.sub(r"\([^()]*\)", "", sentence)))
        if len(numbers) > 2 and not aside and not re.search(r"[=×·²√]", sentence):
            yield sentence, f"{len(numbers)} numbers; at most 2, a table has the others"
        if len(words) > 3 and not any(w.lower().strip(".,;:()'\"") in VERBS or re.search(r"(s|ed|n't)[.,;:)]*$", w) for w in words):
            yield sentence, "no verb"
        for what, pattern in RULES:
            if re.search(pattern, sentence):
                yield sentence, what


found = 0
for path in sys.argv[1:] or sorted(glob.glob("lessons/*/README.md")) + ["README.md", "lessons/TEACHERS.md", ".github/CONTRIBUTING.md", "common/README.md"]:
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\n##? (Sources|Works|Check it elsewhere)\n.*", "\n", file.read(), flags=re.S)
    for line, paragraph in paragraphs(text):
        for sentence, why in slips(paragraph):
            found += 1
            print(f"{path}:{line}: {why}: {sentence[:160]}")
sys.exit(found > 0)
