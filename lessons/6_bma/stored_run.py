# Lesson 6, beyond one machine: what a file of `lesson6 --save` says of its run, for beyond.py: tensors, AdamW where
# it stood, the text in symbols, and the windows and the rate of each step, as --resume would have them.
# SPDX-License-Identifier: MIT
import json, math, os, torch


class Named(dict):
    def __missing__(self, name): raise ValueError(f"lacks {name}")


# An 8-byte length, a JSON header, the numbers (common/support/safetensors.hpp); --save stores only float32.
def load(path, device="cpu"):  # returns the tensors and the metadata
    data = bytearray(open(path, "rb").read())
    begin = 8 + int.from_bytes(data[:8], "little")
    if begin > len(data): raise ValueError("is cut short, or no safetensors file")
    header = json.loads(data[8:begin])
    m = Named(header.pop("__metadata__", {}))
    if m.get("lesson") != "6" or m.get("model") != "lm" or any(t["dtype"] != "F32" for t in header.values()):
        raise ValueError("holds no run that lesson6 --save stored")
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


def check_target(path, text_path):  # throws what would spoil or lose the result, before the work
    if not os.access(os.path.dirname(path) or ".", os.W_OK): raise ValueError(f"--save: no folder for {path}")
    if os.path.exists(path) and os.path.samefile(path, text_path):
        raise ValueError(f"--save: {path} is read by this run")


class StoredRun:
    def __init__(self, path, text_path, device, rank=0, processes=1):  # rank: which of the processes this is
        try:
            self.tensors, self.m = load(path, device)
            self.read_settings()
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} {error if isinstance(error, ValueError) else 'is no file of lesson 6'}")
        m = self.m
        self.share, self.rank = self.batch // processes, rank
        if self.share * processes != self.batch:
            raise ValueError(f"{path} has batches of {self.batch}, which {processes} processes cannot share equally")
        data, h = open(text_path, "rb").read(), 0xcbf29ce484222325
        for byte in data: h = (h ^ byte) * 0x100000001b3 % 2**64  # FNV-1a
        if str(h) != m["text"]: raise ValueError(f"{path} was trained on another text than {text_path}: see --text")
        number = bytes(max(0, bytes.fromhex(m["symbols"]).find(byte)) for byte in range(256))
        self.text = torch.frombuffer(bytearray(data.translate(number)), dtype=torch.uint8).to(device)
        self.trained = int(0.9 * len(data))  # symbols; the others are held out

    def read_settings(self):
        m, whole = self.m, lambda name: int(self.m[name])
        if " " in m["symbols"]: raise ValueError("has words as symbols, and this program knows bytes only")
        self.done, self.steps, self.context, self.batch = (whole(k) for k in ("done", "steps", "context", "batch"))
        self.seed, self.warm_up, self.clip = whole("seed"), whole("warm_up"), float(m["clip"])
        vocab, width, heads = len(bytes.fromhex(m["symbols"])), whole("width"), whole("heads")
        # What the metadata claim is not allocated: it has to agree with the tensors.
        shapes = [tuple(self.tensors[name].shape) for name in ("tok.weight", "pos.weight", "norm.weight")]
        known = f"blocks.{whole('layers') - 1}.norm1.weight" in self.tensors
        if not known or shapes != [(vocab, width), (self.context, width), (width,)] or not 1 <= self.batch <= 4096:
            raise ValueError("has other sizes than it says")
        if m["attention"] not in ("standard", "half", "bma", "attending", "post"):
            raise ValueError(f"has an attention that is not known: {m['attention']}")
        # A width of 1 makes rows of matrices, and --resume lets no row decay.
        if width == 1 or heads < 1 or width % heads: raise ValueError(f"has a width of {width} for {heads} heads")

    def optimizer(self, model):  # AdamW where it stood
        decays = lambda p: p.numel() > p.shape[-1]  # biases, gains and shifts do not
        groups = [{"params": [p for p in model.parameters() if decays(p) == matrices],
                   "weight_decay": matrices * float(self.m["decay"])} for matrices in (True, False)]
        adam = torch.optim.AdamW(groups, betas=(0.9, 0.99), eps=1e-8)
        for name, p in model.named_parameters() if self.done > 0 else ():
            mean, square = self.tensors["optimizer.mean." + name], self.tensors["optimizer.square." + name]
            adam.state[p] = {"step": torch.tensor(float(self.done)), "exp_avg": mean, "exp_avg_sq": square}
        return adam

    def rate(self, step):  # up over the warm-up, then down a cosine
        peak, last = float(self.m["rate"]), float(self.m["last_rate"])
        if step < self.warm_up: return peak * (step + 1) / self.warm_up
        cosine = 0.5 * (1 + math.cos(math.pi * (step - self.warm_up) / (self.steps - self.warm_up)))
        return peak * (last + (1 - last) * cosine)

    def windows(self, step):  # this process's share of the step's batch: a row for each window, context + 1 symbols
        bits, places = random_bits(self.seed, 1000 + 5 * step), self.trained - self.context
        firsts = [next(b for b in bits if b >= 2**64 % places) % places for _ in range(self.batch)]
        mine = firsts[self.rank * self.share:][:self.share]
        return torch.stack([self.text[first:first + self.context + 1] for first in mine]).long()

    def held_out_windows(self):  # those of the loss that --resume prints first, one after another
        end = min(self.trained + 64 * self.context, len(self.text))
        return [self.text[first - 1:min(first + self.context, end)].long()
                for first in range(self.trained, end, self.context)]

    def save(self, path, model, adam, done):
        tensors = dict(model.named_parameters())
        for which, key in ("mean", "exp_avg"), ("square", "exp_avg_sq"):
            tensors.update({f"optimizer.{which}.{name}": adam.state[p][key]
                            for name, p in model.named_parameters() if p in adam.state})
        save(path, tensors, {**self.m, "done": str(done)})
