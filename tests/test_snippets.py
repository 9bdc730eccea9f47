# Runs the READMEs' Python, and lessons/*/check_*.py, on what the lessons export: PyTorch's gradients may differ by roundings.
# Run: python3 tests/test_snippets.py BUILD_FOLDER, from the root. 77: skipped.
# SPDX-License-Identifier: MIT
import contextlib, glob, io, json, math, os, re, subprocess, sys, tempfile, types

try:
    import numpy, torch
except ImportError:
    other = "/usr/bin/python3"  # where a distribution puts its packages
    if sys.executable != other and os.path.exists(other):
        os.execv(other, [other, *sys.argv])
    print("snippets: skipped, this python3 has no torch or no numpy")
    sys.exit(77)

KINDS = {"F32": "<f4", "F64": "<f8", "I64": "<i8"}


def load(path):  # in the place of the package safetensors
    data = open(path, "rb").read()
    length = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, tensor in json.loads(data[8:length]).items():
        if name != "__metadata__":
            begin, end = tensor["data_offsets"]
            numbers = numpy.frombuffer(data[length:][begin:end], KINDS[tensor["dtype"]])
            tensors[name] = torch.from_numpy(numbers.reshape(tensor["shape"]).copy())
    return tensors


def worst_difference(snippet):
    """Runs a snippet. Returns its largest printed difference; infinity for NaN or without any."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(snippet, {})
    differences = re.findall(r" (\d\S*|nan|inf)$", printed.getvalue(), re.M)
    return max((float(x.replace("nan", "inf")) for x in differences), default=math.inf)


for name in ("safetensors", "safetensors.torch", "safetensors.numpy"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["safetensors.torch"].load_file = load
sys.modules["safetensors.numpy"].load_file = lambda path: {
    name: tensor.numpy() for name, tensor in load(path).items()}
build, wrong = os.path.abspath(sys.argv[1]), 0
snippets = [(path, snippet) for path in sorted(glob.glob("lessons/*/README.md"))
            for snippet in re.findall(r"```python\n(.*?)```", open(path).read(), re.S)]
snippets += [(path, open(path).read()) for path in sorted(glob.glob("lessons/*/check_*.py"))]
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for path, snippet in snippets:
        lesson = f"lesson{path[8]}"
        export = [f"{build}/{lesson}", "--export", f"{lesson}.safetensors"]
        subprocess.run(export, check=True, stdout=subprocess.DEVNULL)
        worst = worst_difference(snippet)
        wrong += worst > 1e-12
        print(f"{'FAIL' if worst > 1e-12 else 'ok'} {path}: differences of at most {worst:.2g}")
sys.exit(wrong > 0)
