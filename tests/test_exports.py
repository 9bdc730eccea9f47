"""Reads what the lessons export with Python's standard library alone, and computes it again, by the formulas that the files
bring along or, of attention, by those of lesson 6: outputs, losses, gradients along a random direction of each tensor.
Of lesson 1's activations the slopes must add up to what the values gain, by Simpson's rule.
Run: python3 tests/test_exports.py build
SPDX-License-Identifier: MIT"""
import json, math, os, random, re, struct, subprocess, sys, tempfile

ROUNDING = 1e-12  # of sums of some ten products, as a part of their size
STEP = 1e-4       # along a direction; slopes err by its square
SLOPES = 1e-4     # a gradient that is turned errs by as much as itself
random.seed(1)


class Matrix(list):
    """Rows. * is entry by entry, @ the product; a single row or column serves for all."""

    def __matmul__(self, other):
        columns = [*zip(*other)]
        assert len(self[0]) == len(other), "shapes that do not fit"
        return Matrix([sum(map(float.__mul__, row, column)) for column in columns] for row in self)

    def each(self, other, f):
        other = other if isinstance(other, Matrix) else Matrix([[other]])
        rows, columns = max(len(self), len(other)), max(len(self[0]), len(other[0]))
        at = lambda A, i, j: A[i if len(A) > 1 else 0][j if len(A[0]) > 1 else 0]
        return Matrix([f(at(self, i, j), at(other, i, j)) for j in range(columns)] for i in range(rows))

    def __add__(self, other): return self.each(other, lambda a, b: a + b)
    def __sub__(self, other): return self.each(other, lambda a, b: a - b)
    def __mul__(self, other): return self.each(other, lambda a, b: a * b)

    def transposed(self): return Matrix(map(list, zip(*self)))
    def columns(self, first, end): return Matrix(row[first:end] for row in self)


class Function:
    """Of each entry; `tanh Z` is tanh(Z)."""

    def __init__(self, f): self.f = f
    def __call__(self, A): return Matrix([self.f(a) for a in row] for row in A)
    __matmul__ = __call__


sigmoid = Function(lambda z: 1 / (1 + math.exp(-z)))
gelu = Function(lambda z: z / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))))


class Values(dict):
    def __missing__(self, name):
        if name[0] == "m" and name[1:] in self: return Matrix([sum(row) / len(row)] for row in self[name[1:]])
        if name[0] == "c" and name[1:] in self: return Matrix([[sum(column) / len(column) for column in zip(*self[name[1:]])]])
        raise KeyError(name)


def by_formula(text, values):
    """Returns the last result of `H = X W1 + b1; Y = H W2 + b2`."""
    values = Values(values, sigmoid=sigmoid, tanh=Function(math.tanh))
    for name, right in re.findall(r"(?:^|; |with )(\w+) = ([^;=]*)", text.replace("~", "_").replace("^T", ".transposed()")):
        if name == "loss": break
        values[name] = last = eval(re.sub(r"(?<=[\w)]) (?=[\w(])", " @ ", right), {}, values)
    return last


def squared_error(Y, T): return sum(a * a for row in Y - T for a in row) / len(T) / len(T[0])


def cross_entropy(Y, labels):
    return sum(math.log(sum(map(math.exp, row))) - row[int(label)] for row, label in zip(Y, labels, strict=True)) / len(Y)


# ------------------------------------------------------------------------------------------------------------- lesson 6


def attention(gate, p, X, tokens, causal=True):
    Q, K, V = (X @ p["W" + c] + p["b" + c] for c in "qkv")
    m, mixed = len(p["Wg"][0]) if "Wg" in p else 3, []
    G = Matrix([0.5] * len(V[0]) for _ in V)
    if gate == "post": G = sigmoid(X @ p["Wp"] + p["bp"])
    if gate in ("bma", "attending"):
        of_heads = [sigmoid(Q.columns(h, h + m) @ Matrix(p["Wg"][h:h + m])) for h in range(0, len(Q[0]), m)]
        G = Matrix(sum(rows, []) for rows in zip(*of_heads))
    if gate in ("half", "bma"): V = V * G
    for i in range(len(X)):
        row, first = [], i // tokens * tokens
        for h in range(0, len(V[0]), m):
            seen = range(first, i + 1 if causal else first + tokens)
            scores = [math.exp(sum(Q[i][k] * K[j][k] for k in range(h, h + m)) / math.sqrt(m)) for j in seen]
            row += [sum(a * V[j][k] for a, j in zip(scores, seen)) / sum(scores) for k in range(h, h + m)]
        mixed.append(row)
    mixed = Matrix(mixed)
    if gate in ("attending", "post"): mixed = mixed * G
    return mixed @ p["Wo"] + p["bo"]


def inside(p, prefix): return {name[len(prefix):]: tensor for name, tensor in p.items() if name.startswith(prefix)}


def norm(p, X):
    centred = X - Matrix([sum(row) / len(row)] for row in X)
    return centred * Matrix([1 / math.sqrt(sum(x * x for x in row) / len(row) + 1e-5)] for row in centred) * p["weight"] + p["bias"]


def transformer(p, X, tokens, causal):
    for k in "01":
        block = inside(p, f"blocks.{k}.")
        X = X + attention("bma", inside(block, "attn."), norm(inside(block, "norm1."), X), tokens, causal)
        mlp = inside(block, "mlp.")
        X = X + (gelu(norm(inside(block, "norm2."), X) @ mlp["W1"] + mlp["b1"]) @ mlp["W2"] + mlp["b2"])
    return norm(inside(p, "norm."), X)


def from_pytorch(p):
    """Names and shapes of a state_dict (out x in) as the lesson has them."""
    own, found = {"proj": "o", "up": "1", "down": "2"}, {}
    turned = lambda tensor, kind: tensor if kind == "bias" else tensor.transposed()
    for name, tensor in p.items():
        last, kind = name.split(".")[-2:]
        front = name[:len(name) - len(f"{last}.{kind}")]
        letter = "b" if kind == "bias" else "W"
        if last == "qkv":
            rows = tensor.transposed() if kind == "bias" else tensor  # one below the other
            for k, c in enumerate("qkv"): found[front + letter + c] = Matrix(rows[6 * k:6 * k + 6]).transposed()
        elif last in own: found[front + letter + own[last]] = turned(tensor, kind)
        elif last == "head": found["head." + letter] = turned(tensor, kind)
        else: found[name.replace("gate", "Wg")] = tensor
    return found


def language_model(p, f):
    p, length = from_pytorch(p), len(f["input.tokens"][0])
    X = Matrix(p["tok.weight"][int(t)] for row in f["input.tokens"] for t in row)
    X = X + Matrix(p["pos.weight"][i % length] for i in range(len(X)))
    return transformer(p, X, length, True) @ p["head.W"] + p["head.b"]


def vision(p, f):
    X = f["vision.input.X"] @ p["patch"]
    X = transformer(p, X + Matrix(p["pos"][i % 6] for i in range(len(X))), 6, False)
    return Matrix(X[::6]) @ p["head.W"] + p["head.b"]


# ------------------------------------------------------------------------------------------------------------ the tests


def exported(lesson, folder):
    path = os.path.join(folder, lesson)
    subprocess.run([os.path.join(sys.argv[1], lesson), "--export", path], check=True, stdout=subprocess.DEVNULL)
    return read(path)


def read(path):
    """Returns the tensors as rows of their last length, and what the file says of itself."""
    with open(path, "rb") as file: data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    header, found = json.loads(data[8:8 + size]), {}
    about = header.pop("__metadata__")
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        body = data[8 + size + first:8 + size + last]
        kind = {"F64": "d", "F32": "f", "I64": "q"}[entry["dtype"]]
        numbers = [float(x) for x in struct.unpack(f"<{len(body) // struct.calcsize(kind)}{kind}", body)]
        columns = entry["shape"][-1] if entry["shape"] else 1
        found[name] = Matrix(numbers[k:k + columns] for k in range(0, len(numbers), columns))
    return found, about


failed = 0


def check(what, off, bound):
    global failed
    good = off < bound
    failed += not good
    print(f"{'ok  ' if good else 'FAIL'} {what}: off by {off:.1e} (at most {bound:.0e})")


def most(A): return max(abs(a) for row in A for a in row)


def check_model(name, f, output, loss_of):
    """output(parameters) and loss_of(output) against what the file holds, and slopes against its gradients."""
    p, Y = inside(f, name + ".param."), next(f[name + end] for end in (".output.Y", ".output.logits") if name + end in f)
    check(f"{name}, output", most(output(p) - Y) / max(1, most(Y)), ROUNDING)
    loss = f[name + ".loss"][0][0]
    check(f"{name}, loss", abs(loss_of(output(p)) - loss) / max(1, abs(loss)), ROUNDING)
    worst = 0
    for tensor, gradient in ((t, f[f"{name}.grad.{t}"]) for t in p):
        along = Matrix([random.gauss(0, 1) for _ in row] for row in gradient)
        ahead, behind = (loss_of(output({**p, tensor: p[tensor] + along * side})) for side in (STEP, -STEP))
        derived = sum(a * g for a, g in zip(sum(along, []), sum(gradient, [])))
        worst = max(worst, abs((ahead - behind) / (2 * STEP) - derived) / max(1, abs(derived)))
    check(f"{name}, slopes", worst, SLOPES)


def check_activations(f):
    step = 0.25  # between the places
    names = [name for name in f if name.startswith("act.") and name + "_prime" in f]
    check("activations that are missing", max(0, 5 - len(names)), 1)
    for name in names:
        value, slope = f[name][0], f[name + "_prime"][0]
        off = max(abs(value[k + 1] - value[k - 1] - step / 3 * (slope[k - 1] + 4 * slope[k] + slope[k + 1]))
                  for k in range(1, len(value) - 1))
        check(name, off, 0.2)  # the rule errs by two thirds of a step where a slope jumps by 1; values taken for slopes by 2


def check_lesson(number, f, about):
    mean = lambda Y: squared_error(Y, f["input.T"])
    entropy = lambda labels: lambda Y: cross_entropy(Y, sum(f[labels], []))
    models = [name[:-len(".loss")] for name in f if name.endswith(".loss")]
    print(f"lesson {number}: {', '.join(models)}")
    if number == 1: check_activations(f)
    for name in models:
        text = about.get(name, "")
        if number == 2:
            if text.startswith("the same"): text = about["bengio"].split("; loss")[0] + "; " + text
            words = lambda p: Matrix(sum((p["C"][int(s)] for s in row), []) for row in f["input.contexts"])
            check_model(name, f, lambda p: by_formula(text, {**p, "E": words(p)}), entropy("input.targets"))
        elif number < 6:
            plain = lambda p: by_formula(text, {"X": f["input.X"], **{k.replace("~", "_"): v for k, v in p.items()}})
            check_model(name, f, plain, mean if "input.T" in f else entropy("input.labels"))
        elif name == "lm": check_model(name, f, lambda p: language_model(p, f), entropy("input.targets"))
        elif name == "vision": check_model(name, f, lambda p: vision(p, f), entropy("vision.input.labels"))
        else:
            weighted = lambda Y: sum(a for row in Y * f["input.R"] for a in row)
            check_model(name, f, lambda p: attention(name, p, f["input.X"], 5), weighted)


def check_fold(f):
    """Lesson 5: T is made of the parameters, S of T, and S puts out what the net does."""
    X, p = Matrix(row + [1.0] for row in f["input.X"]), inside(f, "net.param.")
    n, outputs = len(X[0]), len(p["U"][0])
    T, S = ([Matrix(f[name][o * n:o * n + n]) for o in range(outputs)] for name in ("fold.T", "fold.S"))
    left, right = (Matrix([*(p["E"] @ p[A]), *(p["e"] @ p[A] + p[bias])]) for A, bias in (("W", "b"), ("V", "c")))
    for o in range(outputs):
        folded = left * Matrix([[row[o] for row in p["U"]]]) @ right.transposed()
        folded[-1][-1] += p["u"][0][o]
        check(f"fold.T[{o}]", most(folded - T[o]), ROUNDING)
    logits = Matrix([sum((Matrix([x]) @ A * Matrix([x]))[0]) for A in S] for x in X)
    check("fold.S, output", most(logits - f["net.output.logits"]), ROUNDING)
    check("fold.S", max(most(A + A.transposed() - B * 2) for A, B in zip(T, S)), ROUNDING)
    for A, values in zip(S, f["fold.eigenvalues"]):  # of A and of A·A they have the trace
        check("fold.eigenvalues", abs(sum(values) - sum(A[k][k] for k in range(n))) +
              abs(sum(v * v for v in values) - sum(a * a for row in A for a in row)), 10 * ROUNDING)


def check_own_table(folder):
    """Lesson 5 --fold: S is made of the net that is saved, and of the eigenvectors; labels are the file's."""
    at = lambda name: os.path.join(folder, name)
    labels, side, count = [3, 7, 200], 4, 120
    for name, sizes, size in (("images", (count, side, side), count * side * side), ("labels", (count,), count)):
        with open(at(name), "wb") as file:
            file.write(struct.pack(f">I{len(sizes)}I", 0x800 + len(sizes), *sizes))
            file.write(bytes(labels[k % 3] if name == "labels" else random.randrange(256) for k in range(size)))
    subprocess.run([os.path.join(sys.argv[1], "lesson5"), "--part", "3", "--steps", "20", "--out", at("out"), "--save", at("net"),
                    *sum((["--" + name, at(name)] for name in ("images", "labels")), []), "--fold", at("table")],
                   check=True, stdout=subprocess.DEVNULL)
    (net, _), (table, _) = read(at("net")), read(at("table"))
    n = side * side
    for o in range(3):
        T = net["W"] * Matrix([[row[o] for row in net["U"]]]) @ net["V"].transposed()
        S = Matrix(table["S"][o * n:o * n + n])
        check(f"--fold, S[{o}]", most(T + T.transposed() - S * 2), ROUNDING)
        v = Matrix(table["vectors"][o * len(table["values"][o]):(o + 1) * len(table["values"][o])])
        # The factors' smallest direction is known to some 1e-12 of the largest.
        check(f"--fold, vectors[{o}]", most(v.transposed() * Matrix([table["values"][o]]) @ v - S) / most(S), 1e-9)
    check("--fold, labels", most(table["labels"] - Matrix([[float(label) for label in labels]])), ROUNDING)


with tempfile.TemporaryDirectory() as folder:
    for number in range(1, 7):
        f, about = exported(f"lesson{number}", folder)
        check_lesson(number, f, about)
        if number == 5: check_fold(f)
    check_own_table(folder)
sys.exit(failed > 0)
