# Does PyTorch go on where lesson 6 stopped, in one process and in two, and does lesson 6 take the run back? Then the
# snippets of all READMEs are run. Run: python3 tests/test_beyond.py BUILD_FOLDER, from the root. 77: skipped.
# SPDX-License-Identifier: MIT
import contextlib, io, json, math, multiprocessing, os, re, socket, subprocess, sys, tempfile, types
os.environ["OMP_NUM_THREADS"] = "1"
try: import numpy, torch
except ImportError:
    other = "/usr/bin/python3"  # where a distribution puts its packages
    if sys.executable != other and os.path.exists(other): os.execv(other, [other, *sys.argv])
    print("beyond: skipped, this python3 has no torch or no numpy")
    sys.exit(77)
sys.dont_write_bytecode = True
sys.path.insert(0, "lessons/6_bma")
import beyond

build, folder = os.path.abspath(sys.argv[1]), tempfile.TemporaryDirectory()

failed = 0


def check(what, found, most):
    global failed
    good = found <= most
    failed += not good
    print(f"{'ok  ' if good else 'FAIL'} {what}: {found:.2g} (at most {most:.2g})")


def at(name): return os.path.join(folder.name, name)


def lesson(n, *flags):
    out = () if "--export" in flags else ("--out", at("out"))
    found = subprocess.run([f"{build}/lesson{n}", *flags, *out], capture_output=True, text=True)
    if found.returncode != 0: sys.exit(f"FAIL lesson{n} {' '.join(flags)}: {found.stderr}{found.stdout[-2000:]}")
    return found.stdout


def losses_in(said): return [float(x) for x in re.findall(r"loss (\d+\.\d+)", said)]


def go_on(*arguments):  # the losses that PyTorch says: of the stored model, of each step, of the trained model
    said = io.StringIO()
    with contextlib.redirect_stdout(said): status = beyond.main(list(arguments))
    if status != 0: sys.exit(f"FAIL beyond.py {' '.join(arguments)}")
    return losses_in(said.getvalue())


def process(rank, processes, port, arguments):  # what torchrun sets
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(processes), LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1",
                      MASTER_PORT=str(port))
    with open(at(f"said{rank}"), "w") as said, contextlib.redirect_stdout(said): sys.exit(beyond.main(arguments))


def go_on_in_two(*arguments):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    fork = multiprocessing.get_context("fork")
    both = [fork.Process(target=process, args=(rank, 2, port, list(arguments))) for rank in (0, 1)]
    for one in both: one.start()
    for one in both: one.join()
    if any(one.exitcode for one in both): sys.exit("FAIL two processes")
    return losses_in(open(at("said0")).read())


def reaches_itself():  # two processes talk over the network, of which a closed room may have nothing
    try:
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_connection(one.getsockname(), 1): return True
    except OSError: return False


def stored_loss(said): return float(re.search(r"not trained on:\s*(\d\.\d+)", said)[1])


def furthest(found, expected):
    if len(found) != len(expected): return float("inf")
    return max(abs(a - b) for a, b in zip(found, expected))


# The largest difference of the weights in two files, but for the keys' bias: AdamW makes steps of its gradient, which is
# rounding.
def difference(one, other):
    (a, m), (b, _) = beyond.load(one), beyond.load(other)
    width, most = int(m["width"]), 0
    for name in a:
        apart = (a[name] - b[name]).abs()
        if name.endswith("qkv.bias"): apart[width:2 * width] = 0
        most = max(most, apart.max().item())
    return most


# A stored run of ten steps; twenty more there and here.
def check_run(name, *flags):
    begun, here, there, two = (at(f"{name}.{k}.safetensors") for k in ("begun", "here", "there", "two"))
    lesson(6, *flags, "--steps", "10", "--save", begun)
    said = lesson(6, "--resume", begun, "--steps", "20", "--save", here)
    found = go_on(begun, "--steps", "20", "--save", there)
    check(f"{name}: loss of the stored model", abs(found[0] - stored_loss(said)), 6e-5)  # it is printed to 1e-4
    check(f"{name}: weights after twenty steps", difference(here, there), 1e-5)  # rounding to float leaves below 1e-6
    if name == "tied" and reaches_itself():
        shared = go_on_in_two(begun, "--steps", "20", "--save", two)
        # Sums in another order: float rounding, multiplied by twenty steps.
        check(f"{name}: two processes, the same losses", furthest(shared, found), 1e-4)
        check(f"{name}: and the same weights", difference(there, two), 1e-5)  # as above
    back = lesson(6, "--resume", there, "--steps", "1")
    check(f"{name}: --resume takes it back", abs(stored_loss(back) - found[-1]), 6e-5)  # it is printed to 1e-4


# The whole model's logits and gradients, in float64 as well.
def check_model(f):
    m = {"symbols": "00" * 7, "width": "6", "context": "5", "biases": "yes", "dropout": "0", "attention": "bma",
         "heads": "2", "layers": "2", "tied": "no"}
    model = beyond.LanguageModel(m).double()
    model.load_state_dict({name: f["lm.param." + name] for name in model.state_dict()})
    logits = []
    model.head.register_forward_hook(lambda module, given, found: logits.append(found))
    model(f["input.tokens"], f["input.targets"]).backward()
    check("bma: logits of the model", (logits[0] - f["lm.output.logits"]).abs().max().item(), 1e-12)
    worst = max((p.grad - f["lm.grad." + name]).abs().max().item() for name, p in model.named_parameters())
    check("bma: gradients of the model", worst, 1e-12)


def check_refused(what, path, *more, **variables):
    command = [sys.executable, "lessons/6_bma/beyond.py", path, *more]
    found = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables})
    lines = found.stderr.count("\n")
    check(f"{what} is refused in one line: {found.stderr.strip()[-60:]}", abs(found.returncode - 2) + abs(lines - 1), 0)


def header_and_numbers(path):
    data = open(path, "rb").read()
    length = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:length]), data[length:]


def load_torch(path):  # in the place of the package safetensors, with the types that the course's programs write
    header, numbers = header_and_numbers(path)
    kinds = {"F32": "<f4", "F64": "<f8", "I64": "<i8"}
    return {name: torch.from_numpy(numpy.frombuffer(numbers[slice(*t["data_offsets"])], kinds[t["dtype"]])
                                   .reshape(t["shape"]).copy()) for name, t in header.items() if name != "__metadata__"}


# The snippet of a lesson's README; gradients that it prints are zero to rounding.
def run_snippet(n):
    lessons = next(f for f in sorted(os.listdir("lessons")) if f.startswith(f"{n}_"))
    snippet, = re.findall(r"```python\n(.*?)```", open(f"lessons/{lessons}/README.md").read(), re.S)
    here, said = os.getcwd(), io.StringIO()
    os.chdir(folder.name)
    with contextlib.redirect_stdout(said): exec(snippet, {})
    os.chdir(here)
    differences = [float(x.replace("nan", "inf")) for x in re.findall(r" (\d\S*|nan|inf)$", said.getvalue(), re.M)]
    check(f"lesson {n}, snippet: {len(differences)} differences", max(differences, default=math.inf), 1e-12)


for gate in "standard", "half", "bma", "attending", "post": check_run(gate, "--recipe", "C", "--attention", gate)
check_run("tied", "--recipe", "nanogpt", "--attention", "bma", "--layers", "2", "--width", "32", "--context", "32")
lesson(6, "--export", at("lesson6.safetensors"))
check_model(load_torch(at("lesson6.safetensors")))

header, numbers = header_and_numbers(at("bma.begun.safetensors"))
def edited(change, numbers=numbers):  # the path of a file whose header is another
    other = json.loads(json.dumps(header))
    change(other)
    text = json.dumps(other).encode()
    open(at("spoiled"), "wb").write(len(text).to_bytes(8, "little") + text + numbers)
    return at("spoiled")


check_refused("a file cut in its numbers", edited(lambda header: None, numbers[:-4]))
for key, value in (("width", "100000000"), ("batch", "0"), ("attention", "none"), ("symbols", "0g")):
    check_refused(f"{key} {value}", edited(lambda header: header["__metadata__"].update({key: value})))
check_refused("a tensor less", edited(lambda header: header.pop("norm.weight")))
check_refused("another lesson's file", at("lesson6.safetensors"))
check_refused("a batch that three cannot share", at("bma.begun.safetensors"), WORLD_SIZE="3")

for name in ("safetensors", "safetensors.torch"): sys.modules[name] = types.ModuleType(name)
sys.modules["safetensors.torch"].load_file = load_torch
lesson(3, "--export", at("lesson3.safetensors"))
for n in (3, 6): run_snippet(n)
sys.exit(failed > 0)
