# Lesson 6, beyond one machine: what a file of `lesson6 --save` says of its run, for beyond.py. The tensors,
# AdamW's averages, the text in symbols, the windows of each step and the rates are those that --resume would have.
# SPDX-License-Identifier: MIT
import json, math, os, torch


class Named(dict):
    def __missing__(self, name): raise ValueError(f"lacks {name}")


# An 8-byte length, a JSON header, the numbers (common/support/safetensors.hpp); lesson 6 stores only float32.
def load(path, device="cpu"):
    data = bytearray(open(path, "rb").read())
    begin = 8 + int.from_bytes(data[:8], "little")
    if begin > len(data): raise ValueError("is cut short, or no safetensors file")
    header = json.loads(data[8:begin])
    m = Named(header.pop("__metadata__", {}))
    if m.get("lesson") != "6" or m.get("model") != "lm": raise ValueError("holds no model of lesson 6")
    if " " in m["symbols"]: raise ValueError("has words as symbols, and this program knows bytes only")
    if max(t["data_offsets"][1] for t in header.values()) != len(data) - begin:
        raise ValueError("is cut short, or longer than it says")
    numbers = torch.frombuffer(data[begin:], dtype=torch.float32).to(device)
    part = lambda first, end: numbers[first // 4:end // 4]
    return Named({name: part(*t["data_offsets"]).reshape(t["shape"]) for name, t in header.items()}), m


def save(path, tensors, m):
    header, chunks, end = {"__metadata__": m}, [], 0
    for name, tensor in tensors.items():
        chunks.append(tensor.detach().cpu().numpy().tobytes())
        begin, end = end, end + len(chunks[-1])
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with open(path + ".tmp", "wb") as file: file.write(len(text).to_bytes(8, "little") + text + b"".join(chunks))
    os.replace(path + ".tmp", path)  # at once, so that a stopped program leaves the last file whole


def optimizer_of(model, stored, m):  # AdamW where it stood
    decays = lambda p: p.numel() > p.shape[-1]  # biases, gains and shifts do not
    groups = [{"params": [p for p in model.parameters() if decays(p) == matrices],
               "weight_decay": matrices * float(m["decay"])} for matrices in (True, False)]
    adam = torch.optim.AdamW(groups, betas=(0.9, 0.99), eps=1e-8)
    for name, p in model.named_parameters() if m["done"] != "0" else ():
        mean, square = stored["optimizer.mean." + name], stored["optimizer.square." + name]
        adam.state[p] = {"step": torch.tensor(float(m["done"])), "exp_avg": mean, "exp_avg_sq": square}
    return adam


def tensors_of(model, adam):  # under the names that optimizer_of reads
    tensors = dict(model.named_parameters())
    for which, key in ("mean", "exp_avg"), ("square", "exp_avg_sq"):
        tensors.update({f"optimizer.{which}.{name}": adam.state[p][key]
                        for name, p in model.named_parameters() if p in adam.state})
    return tensors


def read_text(path, m, device):  # returns the text in symbols, and how many of them the run is trained on
    data, h = open(path, "rb").read(), 0xcbf29ce484222325
    for byte in data: h = (h ^ byte) * 0x100000001b3 % 2**64  # FNV-1a
    if str(h) != m["text"]: raise ValueError("was trained on another text")
    number = bytes(max(0, bytes.fromhex(m["symbols"]).find(byte)) for byte in range(256))
    return torch.frombuffer(bytearray(data.translate(number)), dtype=torch.uint8).to(device), int(0.9 * len(data))


def random_bits(seed, stream):  # yields what Random(seed, stream) of common/random.hpp draws
    word = 2**64 - 1
    rotated = lambda x, k: (x << k | x >> 64 - k) & word

    def mix(z):
        for shift, factor in (30, 0xbf58476d1ce4e5b9), (27, 0x94d049bb133111eb): z = (z ^ z >> shift) * factor & word
        return z ^ z >> 31
    a, b, c, d = (mix((seed ^ mix(stream)) + k * 0x9e3779b97f4a7c15 & word) for k in (1, 2, 3, 4))
    while True:
        yield rotated(b * 5 & word, 7) * 9 & word
        c, d, shifted = c ^ a, d ^ b, b << 17 & word
        b, a, c, d = b ^ c, a ^ d, c ^ shifted, rotated(d, 45)


def draw_windows(text, trained, step, m):  # the batch of this step: a row for each window, context + 1 symbols
    bits, context = random_bits(int(m["seed"]), 1000 + 5 * step), int(m["context"])
    places = trained - context
    firsts = [next(b for b in bits if b >= 2**64 % places) % places for _ in range(int(m["batch"]))]
    return torch.stack([text[first:first + context + 1] for first in firsts]).long()


def held_out_windows(text, trained, m):  # those of the loss that --resume prints first, one after another
    context = int(m["context"])
    end = min(trained + 64 * context, len(text))
    return [text[first - 1:min(first + context, end)].long() for first in range(trained, end, context)]


def rate_at(step, m):  # up over the warm-up, then down a cosine
    steps, warm_up, last = int(m["steps"]), int(m["warm_up"]), float(m["last_rate"])
    if step < warm_up: return float(m["rate"]) * (step + 1) / warm_up
    cosine = 0.5 * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up)))
    return float(m["rate"]) * (last + (1 - last) * cosine)
