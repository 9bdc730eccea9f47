# Lesson 6, beyond one machine: PyTorch trains a model further that `lesson6 --save` stored, in one process or in many, as
# `lesson6 --resume` does: the same windows, rates and losses; --load and --resume read what it saves.
#   python3 lessons/6_bma/beyond.py lm.safetensors --text FILE --steps 20 --save more.safetensors
#   torchrun --nproc_per_node 2 lessons/6_bma/beyond.py lm.safetensors ...
# SPDX-License-Identifier: MIT
import argparse, json, math, os, sys, torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, variant, width, heads, dropout):
        super().__init__()
        self.variant, self.heads, self.drop = variant, heads, nn.Dropout(dropout)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        if variant in ("bma", "attending"):
            self.gate = nn.Parameter(torch.zeros(heads, width // heads, width // heads))
        if variant == "post": self.post = nn.Linear(width, width)

    def forward(self, X):  # sequences x tokens x width
        heads = lambda x: x.unflatten(2, (self.heads, -1)).transpose(1, 2)  # sequences x heads x tokens x m
        Q, K, V = (heads(x) for x in self.qkv(X).chunk(3, 2))  # (6.1)
        G = 0.5
        if self.variant in ("bma", "attending"): G = torch.sigmoid(Q @ self.gate)  # (6.6)
        if self.variant == "post": G = heads(torch.sigmoid(self.post(X)))  # (6.10)
        if self.variant in ("bma", "half"): V = G * V  # (6.7)
        hidden = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool, device=X.device).triu(1)
        A = (Q @ K.transpose(2, 3) / Q.shape[3] ** 0.5).masked_fill(hidden, -math.inf).softmax(3)  # (6.2) (6.3)
        M = self.drop(A) @ V  # (6.4)
        if self.variant in ("attending", "post"): M = G * M  # (6.9) (6.10)
        return self.proj(M.transpose(1, 2).flatten(2))  # (6.5)


class Block(nn.Module):
    def __init__(self, variant, width, heads, dropout):
        super().__init__()
        self.norm1, self.attn = nn.LayerNorm(width), Attention(variant, width, heads, dropout)  # (6.12)
        self.norm2, self.drop = nn.LayerNorm(width), nn.Dropout(dropout)
        self.mlp = nn.ModuleDict({"up": nn.Linear(width, 4 * width), "down": nn.Linear(4 * width, width)})

    def forward(self, X):  # sequences x tokens x width
        X = X + self.drop(self.attn(self.norm1(X)))  # (6.14)
        H = F.gelu(self.mlp["up"](self.norm2(X)), approximate="tanh")  # (6.13)
        return X + self.drop(self.mlp["down"](H))  # (6.14)


class LanguageModel(nn.Module):
    def __init__(self, m):  # m: the metadata of the stored run
        super().__init__()
        vocab, width, dropout = len(bytes.fromhex(m["symbols"])), int(m["width"]), float(m["dropout"])
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(int(m["context"]), width)
        block = lambda: Block(m["attention"], width, int(m["heads"]), dropout)
        self.blocks, self.drop = nn.Sequential(*(block() for _ in range(int(m["layers"])))), nn.Dropout(dropout)
        self.norm, self.head = nn.LayerNorm(width), None if m["tied"] == "yes" else nn.Linear(width, vocab)
        for layer in self.modules() if m["biases"] == "no" else ():
            if hasattr(layer, "bias"): layer.bias = None

    def forward(self, symbols, targets):  # sequences x tokens; returns the mean loss
        X = self.drop(self.tok(symbols) + self.pos.weight[:symbols.shape[1]])  # (6.15)
        Y = self.norm(self.blocks(X))
        logits = self.head(Y) if self.head else Y @ self.tok.weight.T  # (6.16)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


# An 8-byte length, a JSON header, the numbers (common/support/safetensors.hpp); --save stores only float32.
def load(path, device="cpu"):  # returns the tensors and the metadata
    data = bytearray(open(path, "rb").read())
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    m = header.pop("__metadata__", {})
    if m.get("lesson") != "6" or m.get("model") != "lm" or any(t["dtype"] != "F32" for t in header.values()):
        raise ValueError(f"{path} holds no model that lesson6 --save stored")
    if max(t["data_offsets"][1] for t in header.values()) != len(data) - begin:
        raise ValueError(f"{path} is cut short, or longer than it says")
    numbers = torch.frombuffer(data[begin:], dtype=torch.float32).to(device)
    part = lambda first, end: numbers[first // 4:end // 4]
    return {name: part(*t["data_offsets"]).reshape(t["shape"]) for name, t in header.items()}, m


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


@torch.no_grad()
def held_out(model, text, trained, context):  # as --resume prints first: windows one after another
    model.eval()
    end, sum, count = min(trained + 64 * context, len(text)), 0, 0
    for first in range(trained, end, context):
        w = text[first - 1:min(first + context, end)].long()
        sum, count = sum + (len(w) - 1) * model(w[None, :-1], w[None, 1:]).item(), count + len(w) - 1
    model.train()
    return f"loss {sum / count:.6f} on text that it is not trained on"


def go_on(args):
    rank, processes = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if torch.cuda.is_available() else "cpu"
    if args.save and not os.access(os.path.dirname(args.save) or ".", os.W_OK):
        raise ValueError(f"--save: no folder for {args.save}")
    tensors, m = load(args.file, device)
    data, h = open(args.text, "rb").read(), 0xcbf29ce484222325
    for byte in data: h = (h ^ byte) * 0x100000001b3 % 2**64  # FNV-1a
    if str(h) != m["text"]: raise ValueError(f"{args.file} was trained on another text than {args.text}: see --text")
    number = bytes(max(0, bytes.fromhex(m["symbols"]).find(byte)) for byte in range(256))
    text = torch.frombuffer(bytearray(data.translate(number)), dtype=torch.uint8).to(device)
    trained, context, batch = int(0.9 * len(data)), int(m["context"]), int(m["batch"])  # the rest is held out
    if batch % processes: raise ValueError(f"batches of {batch}, which {processes} processes cannot share equally")
    # What the metadata claim is not allocated: it has to agree with the tensors.
    vocab, width = len(bytes.fromhex(m["symbols"])), int(m["width"])
    sizes = [tuple(tensors[name].shape) for name in ("tok.weight", "pos.weight")]
    if sizes != [(vocab, width), (context, width)] or f"blocks.{int(m['layers']) - 1}.norm1.weight" not in tensors \
            or m["attention"] not in ("standard", "half", "bma", "attending", "post") or " " in m["symbols"] \
            or not 1 <= batch <= 4096 or not 1 <= int(m["heads"]) <= width:
        raise ValueError(f"{args.file} is not what it says, or has words as symbols")
    model = net = LanguageModel(m).to(device)
    model.load_state_dict(tensors)
    decays = lambda p: p.numel() > p.shape[-1]  # biases, gains and shifts do not
    groups = [{"params": [p for p in model.parameters() if decays(p) == matrices],
               "weight_decay": matrices * float(m["decay"])} for matrices in (True, False)]
    adam, warm_up = torch.optim.AdamW(groups, betas=(0.9, 0.99), eps=1e-8), min(100, args.steps // 10)
    if processes > 1:
        torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        net = nn.parallel.DistributedDataParallel(model)
    say = print if rank == 0 else lambda *_: None
    say(f"before: {held_out(model, text, trained, context)}")
    for step in range(args.steps):
        torch.manual_seed(next(random_bits(args.seed, (rank + 1 << 32) + step)))  # for dropout
        peak, last = float(m["rate"]), float(m["last_rate"])  # up over the warm-up, then down a cosine
        cosine = 0.5 * (1 + math.cos(math.pi * (step - warm_up) / (args.steps - warm_up)))
        rate = peak * ((step + 1) / warm_up if step < warm_up else last + (1 - last) * cosine)
        for group in adam.param_groups: group["lr"] = rate
        bits, places = random_bits(args.seed, 1000 + 5 * step), trained - context
        firsts = [next(b for b in bits if b >= 2**64 % places) % places for _ in range(batch)]
        mine = firsts[rank * batch // processes:][:batch // processes]  # a row for each, context + 1 symbols
        windows = torch.stack([text[first:first + context + 1] for first in mine]).long()
        adam.zero_grad()
        loss = net(windows[:, :-1], windows[:, 1:])
        loss.backward()  # DistributedDataParallel puts the mean over all processes in the place of each gradient
        nn.utils.clip_grad_norm_(model.parameters(), float(m["clip"]))
        adam.step()
        if processes > 1: torch.distributed.all_reduce(loss.data)
        say(f"step {step + 1}: loss {loss.item() / processes:.6f}")
        if not loss.item() / processes < 10 * math.log(model.tok.num_embeddings):
            raise ValueError(f"training diverged at step {step + 1}; nothing is saved: a smaller rate may help")
    say(f"after: {held_out(model, text, trained, context)}")
    if args.save and rank == 0: save(args.save, dict(model.named_parameters()), m)


def main(arguments):  # returns the exit status
    parser = argparse.ArgumentParser(description="trains a model further in PyTorch that lesson6 --save stored")
    parser.add_argument("file")
    parser.add_argument("--text", default="common/data/play.txt", help="what the model was trained on")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="", help="a file that lesson6 --load and --resume read")
    args = parser.parse_args(arguments)
    try: go_on(args)
    except (OSError, ValueError, LookupError, TypeError, RuntimeError) as error:
        print(f"beyond.py: {error}".splitlines()[0], file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
