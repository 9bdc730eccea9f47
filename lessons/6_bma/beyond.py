# Lesson 6, beyond one machine: PyTorch goes on with a run that `lesson6 --save` stored, in one process or in many.
# The model, the batches, AdamW and the rates are those of --resume, and so are the losses; --resume takes the run
# back.
#   python3 lessons/6_bma/beyond.py lm.safetensors --text FILE --steps 20 --save more.safetensors
#   torchrun --nproc_per_node 2 lessons/6_bma/beyond.py lm.safetensors ...
# SPDX-License-Identifier: MIT
import argparse, json, math, os, struct, sys
import torch
from torch import nn
from torch.nn import functional as F


def load(path):  # an 8-byte length, a JSON header, the numbers (common/support/safetensors.hpp)
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0] if len(data) >= 8 else 0
    if not 0 < length <= len(data) - 8: raise ValueError("is cut short, or no safetensors file")
    header, data = json.loads(data[8:8 + length]), bytearray(data[8 + length:])
    metadata = header.pop("__metadata__", {})
    if (metadata.get("lesson"), metadata.get("model")) != ("6", "lm"):
        raise ValueError("holds no model of lesson 6")
    if " " in metadata["symbols"]: raise ValueError("has words as symbols, and this program knows bytes only")
    if max(t["data_offsets"][1] for t in header.values()) != len(data):
        raise ValueError("is cut short, or longer than it says")
    numbers = torch.frombuffer(data, dtype=torch.float32)  # lesson 6 stores nothing else
    part = lambda begin, end: numbers[begin // 4:end // 4]
    return {name: part(*t["data_offsets"]).reshape(t["shape"]) for name, t in header.items()}, metadata


def save(path, tensors, metadata):
    header, chunks, end = {"__metadata__": metadata}, [], 0
    for name, tensor in tensors.items():
        chunks.append(tensor.detach().cpu().contiguous().numpy().tobytes())
        begin, end = end, end + len(chunks[-1])
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with open(path + ".tmp", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(chunks))
    os.replace(path + ".tmp", path)  # at once, so that a stopped program leaves the last file whole


def random_bits(seed, stream):  # yields what Random(seed, stream) of common/random.hpp draws
    word = 2**64 - 1
    rotated = lambda x, k: (x << k | x >> 64 - k) & word

    def mix(z):
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & word
        z = (z ^ z >> 27) * 0x94d049bb133111eb & word
        return z ^ z >> 31
    a, b, c, d = (mix((seed ^ mix(stream)) + k * 0x9e3779b97f4a7c15 & word) for k in (1, 2, 3, 4))
    while True:
        yield rotated(b * 5 & word, 7) * 9 & word
        c, d, shifted = c ^ a, d ^ b, b << 17 & word
        b, a, c, d = b ^ c, a ^ d, c ^ shifted, rotated(d, 45)


def norm(width, biases):  # (6.15)
    layer = nn.LayerNorm(width)
    if not biases: layer.bias = None
    return layer


class Attention(nn.Module):
    def __init__(self, variant, width, heads, biases, dropout):
        super().__init__()
        self.variant, self.heads, self.dropout = variant, heads, dropout
        self.qkv, self.proj = nn.Linear(width, 3 * width, biases), nn.Linear(width, width, biases)
        if variant in ("bma", "attending"):
            self.gate = nn.Parameter(torch.zeros(heads, width // heads, width // heads))
        if variant == "post": self.post = nn.Linear(width, width, biases)

    def forward(self, X):  # sequences x tokens x d
        heads = lambda x: x.unflatten(2, (self.heads, -1)).transpose(1, 2)  # sequences x heads x tokens x dh
        Q, K, V = (heads(x) for x in self.qkv(X).chunk(3, 2))  # (6.1)
        if self.variant == "half": V = V / 2
        if self.variant in ("bma", "attending"): G = torch.sigmoid(Q @ self.gate)  # (6.9)
        if self.variant == "post": G = heads(torch.sigmoid(self.post(X)))  # (6.13)
        if self.variant == "bma": V = G * V  # (6.10)
        hidden = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool, device=X.device).triu(1)
        A = (Q @ K.transpose(2, 3) / Q.shape[3] ** 0.5).masked_fill(hidden, -math.inf).softmax(3)  # (6.2) (6.3)
        C = F.dropout(A, self.dropout, self.training) @ V  # (6.4)
        if self.variant in ("attending", "post"): C = G * C  # (6.12) (6.13)
        return self.proj(C.transpose(1, 2).flatten(2))  # (6.5)


class Block(nn.Module):
    def __init__(self, variant, width, heads, biases, dropout):
        super().__init__()
        self.norm1, self.attn = norm(width, biases), Attention(variant, width, heads, biases, dropout)
        self.norm2, self.mlp = norm(width, biases), nn.Module()
        self.mlp.up = nn.Linear(width, 4 * width, biases)
        self.mlp.down = nn.Linear(4 * width, width, biases)
        self.drop = nn.Dropout(dropout)

    def forward(self, X):  # sequences x tokens x d
        X = X + self.drop(self.attn(self.norm1(X)))  # (6.18)
        H = F.gelu(self.mlp.up(self.norm2(X)), approximate="tanh")  # (6.16)
        return X + self.drop(self.mlp.down(H))  # (6.18)


class LanguageModel(nn.Module):
    def __init__(self, m):
        super().__init__()
        vocab, width, biases = len(bytes.fromhex(m["symbols"])), int(m["width"]), m["biases"] == "yes"
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(int(m["context"]), width)
        self.drop = nn.Dropout(float(m["dropout"]))
        block = lambda: Block(m["attention"], width, int(m["heads"]), biases, float(m["dropout"]))
        self.blocks = nn.Sequential(*(block() for _ in range(int(m["layers"]))))
        self.norm = norm(width, biases)
        if m["tied"] == "no": self.head = nn.Linear(width, vocab, biases)

    def forward(self, symbols, targets):  # sequences x tokens; returns the mean loss
        X = self.drop(self.tok(symbols) + self.pos.weight[:symbols.shape[1]])  # (6.19)
        Y = self.norm(self.blocks(X))
        logits = self.head(Y) if hasattr(self, "head") else Y @ self.tok.weight.T  # (6.20)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def read_text(path, m):
    data, h = open(path, "rb").read(), 0xcbf29ce484222325
    for byte in data: h = (h ^ byte) * 0x100000001b3 % 2**64
    if str(h) != m["text"]: raise ValueError("was trained on another text")
    number = bytes(max(0, bytes.fromhex(m["symbols"]).find(byte)) for byte in range(256))
    return torch.frombuffer(bytearray(data.translate(number)), dtype=torch.uint8).long()


def optimizer_of(model, stored, m):
    is_row = lambda tensor: tensor.numel() == tensor.shape[-1]  # biases, gains and shifts do not decay
    groups = [{"params": [p for p in model.parameters() if is_row(p) == rows],
               "weight_decay": 0 if rows else float(m["decay"])} for rows in (False, True)]
    adam = torch.optim.AdamW(groups, betas=(0.9, 0.99), eps=1e-8)
    for name, tensor in model.named_parameters() if m["done"] != "0" else ():
        mean, square = (stored[f"optimizer.{which}.{name}"].to(tensor.device) for which in ("mean", "square"))
        adam.state[tensor] = {"step": torch.tensor(float(m["done"])), "exp_avg": mean, "exp_avg_sq": square}
    return adam


def rate_at(step, m):  # up over the warm-up, then down a cosine
    steps, warm_up, last = int(m["steps"]), int(m["warm_up"]), float(m["last_rate"])
    if step < warm_up: return float(m["rate"]) * (step + 1) / warm_up
    cosine = 0.5 * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up)))
    return float(m["rate"]) * (last + (1 - last) * cosine)


def draw_windows(text, step, m):  # the batch of this step: a row for each window, context + 1 symbols
    bits, context = random_bits(int(m["seed"]), 1000 + 5 * step), int(m["context"])
    places = len(text) - context
    below = lambda n: next(b for b in bits if b >= 2**64 % n) % n
    firsts = [below(places) for _ in range(int(m["batch"]))]
    return torch.stack([text[first:first + context + 1] for first in firsts])


def train_step(net, adam, windows, rate, clip):
    for group in adam.param_groups: group["lr"] = rate
    adam.zero_grad()
    loss = net(windows[:, :-1], windows[:, 1:])
    loss.backward()  # DistributedDataParallel puts the mean over all processes in the place of each gradient
    tensors = [p.grad for p in net.parameters()]
    length = sum(g.square().sum() for g in tensors).sqrt()
    for g in tensors: g *= torch.clamp(clip / length, max=1)
    adam.step()
    return loss.detach()


@torch.no_grad()
def held_out(model, text, m):  # the loss that --resume prints first: of so many symbols behind the training part
    model.eval()
    begin, context, device = int(0.9 * len(text)), int(m["context"]), model.pos.weight.device
    end = min(begin + 64 * context, len(text))
    total = 0
    for first in range(begin, end, context):
        window = text[first - 1:min(first + context, end)].to(device)
        total += model(window[None, :-1], window[None, 1:]).item() * (len(window) - 1)
    model.train()
    return total / (end - begin)


def run(args):
    rank, processes = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    stored, m = load(args.file)
    text = read_text(args.text, m)
    train = text[:int(0.9 * len(text))]
    share, rest = divmod(int(m["batch"]), processes)
    if rest: raise ValueError(f"has batches of {m['batch']}, which {processes} processes cannot share equally")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if torch.cuda.is_available() else "cpu"
    model = LanguageModel(m).to(device)
    model.load_state_dict({name: stored[name] for name in model.state_dict()})
    adam, net = optimizer_of(model, stored, m), model
    if processes > 1:
        torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        net = nn.parallel.DistributedDataParallel(model)
    say = print if rank == 0 else lambda *_: None
    done = int(m["done"])  # steps
    last = max(done, min(done + args.steps, int(m["steps"])))
    if done == last: say("nothing is left to do")
    say(f"after step {done}: loss {held_out(model, text, m):.6f} on text that it is not trained on")
    for step in range(done, last):
        windows = draw_windows(train, step, m)[rank * share:(rank + 1) * share].to(device)
        torch.manual_seed(next(random_bits(int(m["seed"]), (rank + 1 << 32) + step)))  # for dropout
        loss = train_step(net, adam, windows, rate_at(step, m), float(m["clip"])) / processes
        if processes > 1: torch.distributed.all_reduce(loss)
        say(f"step {step + 1}: loss {loss.item():.6f}")
    say(f"after step {last}: loss {held_out(model, text, m):.6f} on text that it is not trained on")
    if not args.save or rank > 0: return
    tensors = dict(model.named_parameters())
    for name, tensor in list(tensors.items()) if last > 0 else ():
        tensors["optimizer.mean." + name] = adam.state[tensor]["exp_avg"]
        tensors["optimizer.square." + name] = adam.state[tensor]["exp_avg_sq"]
    save(args.save, tensors, {**m, "done": str(last)})


def main(arguments):  # returns the exit status
    parser = argparse.ArgumentParser(description="goes on in PyTorch with a run that lesson6 --save stored")
    parser.add_argument("file")
    parser.add_argument("--text", default="common/data/play.txt")
    parser.add_argument("--steps", type=int, default=10**9, help="how many more (all that the run has left)")
    parser.add_argument("--save", default="")
    args = parser.parse_args(arguments)
    try:
        run(args)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        lacks = "lacks " if isinstance(error, KeyError) else ""
        print(f"{args.file}: {lacks}{error}".splitlines()[0], file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
