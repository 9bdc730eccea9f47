# Runs the Python of the READMEs against what the lessons export: the differences to PyTorch's gradients that it prints are
# roundings. Run: python3 tests/test_snippets.py BUILD_FOLDER, from the root. 77: skipped.
# SPDX-License-Identifier: MIT
import contextlib, glob, io, json, math, os, re, subprocess, sys, tempfile, types
try: import numpy, torch
except ImportError:
    other = "/usr/bin/python3"  # where a distribution puts its packages
    if sys.executable != other and os.path.exists(other): os.execv(other, [other, *sys.argv])
    print("snippets: skipped, this python3 has no torch or no numpy")
    sys.exit(77)


def load(path):  # in the place of the package safetensors
    data = open(path, "rb").read()
    length = 8 + int.from_bytes(data[:8], "little")
    kinds = {"F32": "<f4", "F64": "<f8", "I64": "<i8"}
    return {name: torch.from_numpy(numpy.frombuffer(data[length:][slice(*t["data_offsets"])], kinds[t["dtype"]])
                                   .reshape(t["shape"]).copy())
            for name, t in json.loads(data[8:length]).items() if name != "__metadata__"}


for name in "safetensors", "safetensors.torch", "safetensors.numpy": sys.modules[name] = types.ModuleType(name)
sys.modules["safetensors.torch"].load_file = load
sys.modules["safetensors.numpy"].load_file = lambda path: {name: tensor.numpy() for name, tensor in load(path).items()}
build, wrong = os.path.abspath(sys.argv[1]), 0
texts = {path: open(path).read() for path in sorted(glob.glob("lessons/*/README.md"))}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for path, text in texts.items():
        for snippet in re.findall(r"```python\n(.*?)```", text, re.S):
            n, said = path[8], io.StringIO()
            subprocess.run([f"{build}/lesson{n}", "--export", f"lesson{n}.safetensors"], check=True, stdout=subprocess.DEVNULL)
            with contextlib.redirect_stdout(said): exec(snippet, {})
            found = [float(x.replace("nan", "inf")) for x in re.findall(r" (\d\S*|nan|inf)$", said.getvalue(), re.M)]
            good = max(found, default=math.inf) <= 1e-12
            wrong += not good
            print(f"{'ok' if good else 'FAIL'} {path}: {len(found)} differences, at most {max(found, default=math.inf):.2g}")
sys.exit(wrong > 0)
