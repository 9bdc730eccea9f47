# Lesson 6, beyond one machine: PyTorch trains a model further that `lesson6 --save` stored, as
# --resume does: the same windows, rates and losses. --load and --resume read what this one saves.
#   python3 lessons/6_bma/beyond.py lm.safetensors --steps 20   (or torchrun --nproc_per_node 2 ...)
# SPDX-License-Identifier: MIT
import argparse, json, math, os, sys, torch
from torch import distributed, nn

VARIANTS = ("standard", "half", "bma", "attending", "post")
gelu = lambda Z: nn.functional.gelu(Z, approximate="tanh")
BENDS = {"gelu": gelu, "swish": nn.functional.silu, "product": lambda Z: Z, "swiglu": nn.functional.silu}

class Attention(nn.Module):
    def __init__(self, variant, width, heads, dropout):
        super().__init__()
        self.variant, self.heads, self.drop = variant, heads, nn.Dropout(dropout)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        if variant in ("bma", "attending"):
            self.gate = nn.Parameter(torch.zeros(heads, width // heads, width // heads))
        if variant == "post": self.post = nn.Linear(width, width)
    def forward(self, X):  # sequences x tokens x width
        heads = lambda x: x.unflatten(2, (self.heads, -1)).transpose(1, 2)  # ... x tokens x m
        Q, K, V = (heads(x) for x in self.qkv(X).chunk(3, 2))  # (6.1)
        G = 0.5
        if hasattr(self, "gate"): G = torch.sigmoid(Q @ self.gate)  # (6.6)
        if hasattr(self, "post"): G = heads(torch.sigmoid(self.post(X)))  # (6.10)
        if self.variant in ("bma", "half"): V = G * V  # (6.7)
        later = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool, device=X.device).triu(1)
        S = Q @ K.transpose(2, 3) / Q.shape[3] ** 0.5  # (6.2)
        A = S.masked_fill(later, -math.inf).softmax(3)  # (6.3)
        M = self.drop(A) @ V  # (6.4)
        if self.variant in ("attending", "post"): M = G * M  # (6.9) (6.10)
        return self.proj(M.transpose(1, 2).flatten(2))  # (6.5)

class Block(nn.Module):
    def __init__(self, variant, width, heads, dropout, feeds):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)  # (6.11)
        self.attn, self.drop = Attention(variant, width, heads, dropout), nn.Dropout(dropout)
        multiplies = feeds in ("product", "swiglu")
        inside = (8 * width + 1) // 3 if multiplies else 4 * width
        self.bend, up, down = BENDS[feeds], nn.Linear(width, inside), nn.Linear(inside, width)
        self.mlp = nn.ModuleDict({"up": up, "down": down})
        if multiplies: self.mlp["factor"] = nn.Linear(width, inside)
    def forward(self, X):  # sequences x tokens x width
        X = X + self.drop(self.attn(self.norm1(X)))  # (6.13)
        N = self.norm2(X)
        H = self.bend(self.mlp["up"](N))  # (6.12)
        if "factor" in self.mlp: H = H * self.mlp["factor"](N)  # (6.18)
        return X + self.drop(self.mlp["down"](H))  # (6.13)

class LanguageModel(nn.Module):
    def __init__(self, run):  # the metadata of the stored run
        super().__init__()
        vocab, width = len(bytes.fromhex(run["symbols"])), int(run["width"])
        dropout, heads, layers = float(run["dropout"]), int(run["heads"]), int(run["layers"])
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(int(run["context"]), width)
        self.drop = nn.Dropout(dropout)
        feeds = run.get("feedforward", "gelu")
        blocks = [Block(run["attention"], width, heads, dropout, feeds) for _ in range(layers)]
        self.blocks, self.norm = nn.Sequential(*blocks), nn.LayerNorm(width)
        self.head = None if run["tied"] == "yes" else nn.Linear(width, vocab)
        for layer in self.modules() if run["biases"] == "no" else ():
            if hasattr(layer, "bias"): layer.bias = None
    def forward(self, symbols, targets):  # sequences x tokens; returns the mean loss
        X = self.drop(self.tok(symbols) + self.pos.weight[: symbols.shape[1]])  # (6.14)
        H = self.norm(self.blocks(X))
        S = self.head(H) if self.head else H @ self.tok.weight.T  # (6.15)
        return nn.functional.cross_entropy(S.flatten(0, 1), targets.flatten())

# A stored model: an 8-byte length, a JSON header, the numbers (common/frame/files/safetensors.hpp).
def load(path, device="cpu"):  # returns the tensors and the metadata
    data = bytearray(open(path, "rb").read())
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    run = header.pop("__metadata__", {})
    known = run.get("lesson") == "6" and run.get("model") == "lm"
    if not known or any(t["dtype"] != "F32" for t in header.values()):
        raise ValueError(f"{path} holds no model that lesson6 --save stored")
    if max(t["data_offsets"][1] for t in header.values()) != len(data) - begin:
        raise ValueError(f"{path} is cut short, or longer than it says")
    numbers = torch.frombuffer(data[begin:], dtype=torch.float32).to(device)
    part = lambda first, end: numbers[first // 4 : end // 4]
    return {name: part(*t["data_offsets"]).reshape(t["shape"]) for name, t in header.items()}, run

def save(path, tensors, run):
    header, numbers = {"__metadata__": run}, b""
    for name, tensor in tensors.items():
        place = [len(numbers), len(numbers) + 4 * tensor.numel()]
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": place}
        numbers += tensor.detach().cpu().numpy().tobytes()
    text = json.dumps(header).encode()
    with open(path + ".tmp", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + numbers)
    os.replace(path + ".tmp", path)  # at once: a stopped program leaves the last file whole

def random_bits(seed, stream):  # yields what Random(seed, stream) of common/random.hpp draws
    word = 2**64 - 1

    rotated = lambda x, k: (x << k | x >> 64 - k) & word
    def mix(z):
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & word
        z = (z ^ z >> 27) * 0x94D049BB133111EB & word
        return z ^ z >> 31
    a, b, c, d = (mix((seed ^ mix(stream)) + k * 0x9E3779B97F4A7C15 & word) for k in (1, 2, 3, 4))
    while True:
        yield rotated(b * 5 & word, 7) * 9 & word
        c, d, shifted = c ^ a, d ^ b, b << 17 & word
        b, a, c, d = b ^ c, a ^ d, c ^ shifted, rotated(d, 45)

def check(path, run, tensors, batch, processes):  # what metadata claim must agree with the tensors
    rows, width = (len(bytes.fromhex(run["symbols"])), int(run["context"])), int(run["width"])
    sizes = [tuple(tensors[name].shape) for name in ("tok.weight", "pos.weight")]
    fits = sizes == [(n, width) for n in rows] and run["attention"] in VARIANTS
    fits = fits and run.get("feedforward", "gelu") in BENDS
    fits = fits and f"blocks.{int(run['layers']) - 1}.norm1.weight" in tensors
    fits = fits and 1 <= int(run["heads"]) <= width and 1 <= batch <= 4096
    if not fits or " " in run["symbols"]:
        raise ValueError(f"{path} is not what it says, or has words as symbols")
    if batch % processes:
        raise ValueError(f"batches of {batch}, which {processes} processes cannot share equally")

def read_text(path, stored, run):  # returns it as numbers of symbols
    data, hashed = open(path, "rb").read(), 0xCBF29CE484222325
    for byte in data: hashed = (hashed ^ byte) * 0x100000001B3 % 2**64  # FNV-1a
    if str(hashed) != run["text"]:
        raise ValueError(f"{stored} was trained on another text than {path}: see --text")
    number = bytes(max(0, bytes.fromhex(run["symbols"]).find(byte)) for byte in range(256))
    return torch.frombuffer(bytearray(data.translate(number)), dtype=torch.uint8)

@torch.no_grad()
def held_out(model, text, trained, context):  # windows one after another, as --resume prints first
    end, total = min(trained + 64 * context, len(text)), 0
    model.eval()
    for first in range(trained, end, context):
        w = text[first - 1 : min(first + context, end)].long()
        total += (len(w) - 1) * model(w[None, :-1], w[None, 1:]).item()
    model.train()
    return f"loss {total / (end - trained):.6f} on text that it is not trained on"

def rate_at(step, steps, run):  # up over the warm-up, then down a cosine
    peak, last, warm_up = float(run["rate"]), float(run["last_rate"]), min(100, steps // 10)
    if step < warm_up: return peak * (step + 1) / warm_up
    cosine = 0.5 * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up)))
    return peak * (last + (1 - last) * cosine)

def go_on(args):
    rank, processes = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = f"cuda:{os.environ.get('LOCAL_RANK', 0)}" if torch.cuda.is_available() else "cpu"
    if args.save and not os.access(os.path.dirname(args.save) or ".", os.W_OK):
        raise ValueError(f"--save: no folder for {args.save}")
    tensors, run = load(args.file, device)
    context, batch = int(run["context"]), int(run["batch"])
    check(args.file, run, tensors, batch, processes)
    text = read_text(args.text, args.file, run).to(device)
    trained = int(0.9 * len(text))  # the rest is held out
    model = net = LanguageModel(run).to(device)
    model.load_state_dict(tensors)
    decay = lambda p: float(run["decay"]) * (p.numel() > p.shape[-1])  # none of biases and gains
    groups = [{"params": p, "weight_decay": decay(p)} for p in model.parameters()]
    adam = torch.optim.AdamW(groups, betas=(0.9, 0.99), eps=1e-8)
    if processes > 1:
        distributed.init_process_group("gloo" if device == "cpu" else "nccl")
        net = nn.parallel.DistributedDataParallel(model)
    say = print if rank == 0 else lambda *_: None
    say("the weights go on; AdamW's averages, the climb of the rate and the windows begin anew")
    say(f"before: {held_out(model, text, trained, context)}")
    for step in range(args.steps):
        torch.manual_seed(next(random_bits(args.seed, (rank + 1 << 32) + step)))  # for dropout
        for group in adam.param_groups: group["lr"] = rate_at(step, args.steps, run)
        bits, places = random_bits(args.seed, 1000 + 5 * step), trained - context
        firsts = [next(b for b in bits if b >= 2**64 % places) % places for _ in range(batch)]
        mine = firsts[rank * batch // processes :][: batch // processes]
        windows = torch.stack([text[at : at + context + 1] for at in mine]).long()
        adam.zero_grad()
        loss = net(windows[:, :-1], windows[:, 1:])
        loss.backward()  # with several processes each gradient becomes the mean over all
        nn.utils.clip_grad_norm_(model.parameters(), float(run["clip"]))
        adam.step()
        if processes > 1: distributed.all_reduce(loss.data)
        say(f"step {step + 1}: loss {loss.item() / processes:.6f}")
        if not loss.item() / processes < 10 * math.log(model.tok.num_embeddings):
            raise ValueError(f"training diverged at step {step + 1}; nothing is saved")
    say(f"after: {held_out(model, text, trained, context)}")
    if args.save and rank == 0: save(args.save, dict(model.named_parameters()), run)

def main(arguments):  # returns the exit status
    parser = argparse.ArgumentParser(description="trains a stored model of lesson 6 further")
    parser.add_argument("file", help="what lesson6 --save stored")
    parser.add_argument("--text", default="common/data/play.txt", help="what it was trained on")
    for name, standard in ("--steps", 300), ("--seed", 1):
        parser.add_argument(name, type=int, default=standard)
    parser.add_argument("--save", default="", help="a file that lesson6 --load and --resume read")
    try:
        go_on(parser.parse_args(arguments))
    except (OSError, ValueError, LookupError, TypeError, RuntimeError) as error:
        print(f"beyond.py: {error}".splitlines()[0], file=sys.stderr)
        return 2
    return 0

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
