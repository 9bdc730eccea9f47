"""Does PyTorch go on where lesson 6 stopped, in one process and in two, and does lesson 6 take the run back? Are the five
layers of beyond.py those that the lesson exports, with all gradients?
Run: python3 tests/test_beyond.py BUILD_FOLDER, from the root. 77: skipped. SPDX-License-Identifier: MIT"""
import contextlib, io, json, multiprocessing, os, re, socket, subprocess, sys, tempfile
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

build, folder, failures = os.path.abspath(sys.argv[1]), tempfile.TemporaryDirectory(), []


def check(what, measured, most):
    good = measured <= most
    print(f"{'ok  ' if good else 'FAIL'} {what}: {measured:.2g} (at most {most:.2g})")
    if not good: failures.append(what)


def at(name): return os.path.join(folder.name, name)


def lesson6(*flags):
    out = () if "--export" in flags else ("--out", at("out"))
    run = subprocess.run([f"{build}/lesson6", *flags, *out], capture_output=True, text=True)
    if run.returncode != 0: sys.exit(f"FAIL lesson6 {' '.join(flags)}: {run.stderr}{run.stdout[-2000:]}")
    return run.stdout


def losses_in(text): return [float(x) for x in re.findall(r"loss (\d+\.\d+)", text)]


def printed_loss(text): return float(re.search(r"not\s+trained\s+on\s+is\s+(\d\.\d+)", text)[1])


def go_on(*arguments):
    """The losses that PyTorch says: of the stored model, of each step, of the trained model."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output): status = beyond.main(list(arguments))
    if status != 0: sys.exit(f"FAIL beyond.py {' '.join(arguments)}")
    return losses_in(output.getvalue())


def process(rank, port, arguments):  # what torchrun sets
    os.environ.update(RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    with open(at(f"output{rank}"), "w") as output, contextlib.redirect_stdout(output): sys.exit(beyond.main(arguments))


def go_on_in_two(*arguments):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    fork = multiprocessing.get_context("fork")
    both = [fork.Process(target=process, args=(rank, port, list(arguments))) for rank in (0, 1)]
    for one in both: one.start()
    for one in both: one.join()
    if any(one.exitcode for one in both): sys.exit("FAIL two processes")
    return losses_in(open(at("output0")).read())


def difference(one, other):
    """The largest root mean square difference of a tensor in two files, but for the keys' bias: its gradient is rounding, of
    which AdamW makes whole steps. It does so of a few weights elsewhere, so the largest difference of all says little."""
    (a, run), (b, _) = beyond.load(one), beyond.load(other)
    width, most = int(run["width"]), 0
    for name in a:
        apart = a[name] - b[name]
        if name.endswith("qkv.bias"): apart[width:2 * width] = 0
        most = max(most, apart.square().mean().sqrt().item())
    return most


def check_run(name, *flags):
    """A stored run of ten steps; twenty more there and here. Rounding to float leaves at most 4.3e-7 with five
    kernels of OpenBLAS, and at four other seeds 7.4e-7; a rate larger by a thousandth leaves 1.2e-5 at least."""
    begun, here, there, two = (at(f"{name}.{k}.safetensors") for k in ("begun", "here", "there", "two"))
    lesson6(*flags, "--steps", "10", "--save", begun)
    text = lesson6("--resume", begun, "--steps", "20", "--save", here)
    losses = go_on(begun, "--steps", "20", "--save", there)
    check(f"{name}: loss of the stored model", abs(losses[0] - printed_loss(text)), 6e-5)  # it is printed to 1e-4
    check(f"{name}: weights after twenty steps", difference(here, there), 3e-6)
    if name == "tied":
        shared = go_on_in_two(begun, "--steps", "20", "--save", two)
        check(f"{name}: two processes, the same losses", max(abs(a - b) for a, b in zip(shared, losses, strict=True)), 1e-5)
        check(f"{name}: and the same weights", difference(there, two), 1e-6)
    back = lesson6("--resume", there, "--steps", "1")
    check(f"{name}: --resume takes it back", abs(printed_loss(back) - losses[-1]), 6e-5)


def header_and_numbers(path):
    data = open(path, "rb").read()
    length = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:length]), data[length:]


def exported():
    lesson6("--export", at("lesson6.safetensors"))
    header, numbers = header_and_numbers(at("lesson6.safetensors"))
    kinds = {"F64": "<f8", "I64": "<i8"}
    return {name: torch.from_numpy(numpy.frombuffer(numbers[slice(*t["data_offsets"])], kinds[t["dtype"]])
                                   .reshape(t["shape"]).copy()) for name, t in header.items() if name != "__metadata__"}


def check_layer(name, f):
    """The layer against the lesson's, in float64, from its own names: W is in x out there, out x in here."""
    p = {k.split(".")[2]: v for k, v in f.items() if k.startswith(name + ".param.")}
    g = {k.split(".")[2]: v for k, v in f.items() if k.startswith(name + ".grad.")}
    joined = lambda t, kind: torch.cat([t[kind + c].T for c in "qkv"]).squeeze()
    layer, X = beyond.Attention(name, 6, 2, 0).double(), f["input.X"].clone().requires_grad_()

    def in_torch(t):
        named = {"qkv.weight": joined(t, "W"), "qkv.bias": joined(t, "b"), "proj.weight": t["Wo"].T, "proj.bias": t["bo"][0]}
        if "Wg" in t: named["gate"] = t["Wg"]
        if "Wp" in t: named.update({"post.weight": t["Wp"].T, "post.bias": t["bp"][0]})
        return named

    layer.load_state_dict(in_torch(p))
    Y = layer(X)
    check(f"{name}: the layer's output", (Y - f[name + ".output.Y"]).abs().max().item(), 1e-13)
    (f["input.R"] * Y).sum().backward()
    right = in_torch(g)
    worst = max((q.grad - right[k]).abs().max().item() for k, q in layer.named_parameters())
    check(f"{name}: its gradients", max(worst, (X.grad - g["X"]).abs().max().item()), 1e-13)


def check_model(f):
    """The whole model's logits and gradients, in float64 as well."""
    run = {"symbols": "00" * 7, "width": "6", "context": "5", "biases": "yes", "dropout": "0", "attention": "bma",
           "heads": "2", "layers": "2", "tied": "no"}
    model = beyond.LanguageModel(run).double()
    model.load_state_dict({name: f["lm.param." + name] for name in model.state_dict()})
    logits = []
    model.head.register_forward_hook(lambda module, inputs, output: logits.append(output))
    model(f["input.tokens"], f["input.targets"]).backward()
    check("bma: logits of the model", (logits[0] - f["lm.output.logits"]).abs().max().item(), 1e-13)
    worst = max((p.grad - f["lm.grad." + name]).abs().max().item() for name, p in model.named_parameters())
    check("bma: gradients of the model", worst, 1e-13)


def check_refused(what, path, **variables):
    command = [sys.executable, "lessons/6_bma/beyond.py", path]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables})
    lines = run.stderr.count("\n")
    check(f"{what} is refused in one line: {run.stderr.strip()[-60:]}", abs(run.returncode - 2) + abs(lines - 1), 0)


def spoilt(change=lambda header: None, cut=None):
    """The path of a stored run whose header is another, or whose numbers are cut short."""
    header, numbers = header_and_numbers(at("bma.begun.safetensors"))
    change(header)
    text = json.dumps(header).encode()
    open(at("spoilt"), "wb").write(len(text).to_bytes(8, "little") + text + numbers[:cut])
    return at("spoilt")


for gate in beyond.VARIANTS: check_run(gate, "--recipe", "C", "--attention", gate)
for feeds in ("product", "swiglu"): check_run(feeds, "--recipe", "C", "--feedforward", feeds)
check_run("tied", "--recipe", "nanogpt", "--attention", "bma", "--layers", "2", "--width", "32", "--context", "32")
export = exported()
for gate in beyond.VARIANTS: check_layer(gate, export)
check_model(export)
check_refused("a file cut in its numbers", spoilt(cut=-4))
for key, value in ("width", "100000000"), ("batch", "0"), ("attention", "none"), ("feedforward", "relu"), ("symbols", "0g"):
    check_refused(f"{key} {value}", spoilt(lambda header: header["__metadata__"].update({key: value})))
check_refused("a tensor less", spoilt(lambda header: header.pop("norm.weight")))
check_refused("another lesson's file", at("lesson6.safetensors"))
check_refused("a batch that three cannot share", at("bma.begun.safetensors"), WORLD_SIZE="3")
sys.exit(len(failures) > 0)
