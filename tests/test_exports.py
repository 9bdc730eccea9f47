"""Reads what lesson 1 exports with Python's standard library alone: of each activation the slopes must
add up to what the values gain, by Simpson's rule.
Run: python3 tests/test_exports.py build
SPDX-License-Identifier: MIT"""
import json, os, struct, subprocess, sys, tempfile

STEP = 0.25  # between the places
BOUND = 0.2  # the rule errs by two thirds of a step where a slope jumps by 1; values taken for slopes by 2


def tensors(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    found = {}
    for name, about in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            first, last = about["data_offsets"]
            kind, bytes_each = ("d", 8) if about["dtype"] == "F64" else ("f", 4)
            body = data[8 + size + first:8 + size + last]
            found[name] = struct.unpack(f"<{len(body) // bytes_each}{kind}", body)
    return found


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "one.safetensors")
    subprocess.run([os.path.join(sys.argv[1], "lesson1"), "--export", path], check=True, stdout=subprocess.DEVNULL)
    exported = tensors(path)
names = [name for name in exported if name.startswith("act.") and name + "_prime" in exported]
failed = len(names) < 5
for name in names:
    value, slope = exported[name], exported[name + "_prime"]
    off = max(abs(value[k + 1] - value[k - 1] - STEP / 3 * (slope[k - 1] + 4 * slope[k] + slope[k + 1]))
              for k in range(1, len(value) - 1))
    failed |= not off < BOUND
    print(f"{'FAIL' if not off < BOUND else 'ok'} {name}: off by {off:.3f}")
sys.exit(failed)
