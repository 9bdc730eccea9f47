# Lesson 6, beyond one machine: PyTorch goes on with a run that `lesson6 --save` stored, in one process or in many.
# The model, AdamW and the losses are those of --resume, and --resume takes the run back.
#   python3 lessons/6_bma/beyond.py lm.safetensors --text FILE --steps 20 --save more.safetensors
#   torchrun --nproc_per_node 2 lessons/6_bma/beyond.py lm.safetensors ...
# SPDX-License-Identifier: MIT
import argparse, math, os, sys, torch
from torch import nn
from torch.nn import functional as F
from stored_run import StoredRun, check_target, random_bits


class Attention(nn.Module):
    def __init__(self, variant, width, heads, dropout):
        super().__init__()
        self.variant, self.heads, self.drop = variant, heads, nn.Dropout(dropout)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        if variant in ("bma", "attending"):
            self.gate = nn.Parameter(torch.zeros(heads, width // heads, width // heads))
        if variant == "post": self.post = nn.Linear(width, width)

    def forward(self, X):  # sequences x tokens x d
        heads = lambda x: x.unflatten(2, (self.heads, -1)).transpose(1, 2)  # sequences x heads x tokens x dh
        Q, K, V = (heads(x) for x in self.qkv(X).chunk(3, 2))  # (6.1)
        G = 0.5
        if self.variant in ("bma", "attending"): G = torch.sigmoid(Q @ self.gate)  # (6.9)
        if self.variant == "post": G = heads(torch.sigmoid(self.post(X)))  # (6.13)
        if self.variant in ("bma", "half"): V = G * V  # (6.10)
        hidden = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool, device=X.device).triu(1)
        A = (Q @ K.transpose(2, 3) / Q.shape[3] ** 0.5).masked_fill(hidden, -math.inf).softmax(3)  # (6.2) (6.3)
        C = self.drop(A) @ V  # (6.4)
        if self.variant in ("attending", "post"): C = G * C  # (6.12) (6.13)
        return self.proj(C.transpose(1, 2).flatten(2))  # (6.5)


class Block(nn.Module):
    def __init__(self, variant, width, heads, dropout):
        super().__init__()
        self.norm1, self.attn = nn.LayerNorm(width), Attention(variant, width, heads, dropout)  # (6.15)
        self.norm2, self.drop = nn.LayerNorm(width), nn.Dropout(dropout)
        self.mlp = nn.ModuleDict({"up": nn.Linear(width, 4 * width), "down": nn.Linear(4 * width, width)})

    def forward(self, X):  # sequences x tokens x d
        X = X + self.drop(self.attn(self.norm1(X)))  # (6.18)
        H = F.gelu(self.mlp["up"](self.norm2(X)), approximate="tanh")  # (6.16)
        return X + self.drop(self.mlp["down"](H))  # (6.18)


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
        X = self.drop(self.tok(symbols) + self.pos.weight[:symbols.shape[1]])  # (6.19)
        Y = self.norm(self.blocks(X))
        logits = self.head(Y) if self.head else Y @ self.tok.weight.T  # (6.20)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


@torch.no_grad()
def held_out(model, windows):
    model.eval()
    losses = [(len(w) - 1) * model(w[None, :-1], w[None, 1:]).item() for w in windows]
    model.train()
    return f"loss {sum(losses) / sum(len(w) - 1 for w in windows):.6f} on text that it is not trained on"


def go_on(args):
    rank, processes = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if torch.cuda.is_available() else "cpu"
    if args.save: check_target(args.save, args.text)
    run = StoredRun(args.file, args.text, device, rank, processes)
    model = net = LanguageModel(run.m).to(device)
    model.load_state_dict({name: run.tensors[name] for name in model.state_dict()})
    adam, done, last = run.optimizer(model), run.done, min(run.done + args.steps, run.steps)
    if processes > 1:
        torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        net = nn.parallel.DistributedDataParallel(model)
    say = print if rank == 0 else lambda *_: None
    say(f"after step {done} of {run.steps}: {held_out(model, run.held_out_windows())}")
    if last <= done: say("nothing is left to do")
    for step in range(done, last):
        torch.manual_seed(next(random_bits(run.seed, (rank + 1 << 32) + step)))  # for dropout
        for group in adam.param_groups: group["lr"] = run.rate(step)
        adam.zero_grad()
        windows = run.windows(step)
        loss = net(windows[:, :-1], windows[:, 1:])
        loss.backward()  # DistributedDataParallel puts the mean over all processes in the place of each gradient
        nn.utils.clip_grad_norm_(model.parameters(), run.clip)
        adam.step()
        done = step + 1
        if processes > 1: torch.distributed.all_reduce(loss.data)
        say(f"step {done}: loss {loss.item() / processes:.6f}")
        if not loss.item() / processes < 10 * math.log(model.tok.num_embeddings):
            raise ValueError(f"training diverged at step {done}; nothing is saved: a smaller rate may help")
    say(f"after step {done} of {run.steps}: {held_out(model, run.held_out_windows())}")
    if args.save and rank == 0: run.save(args.save, model, adam, done)


def main(arguments):  # returns the exit status
    parser = argparse.ArgumentParser(description="goes on in PyTorch with a run that lesson6 --save stored")
    parser.add_argument("file")
    parser.add_argument("--text", default="common/data/play.txt", help="what the run is trained on")
    parser.add_argument("--steps", type=int, default=10**9, help="how many more (all that the run has left)")
    parser.add_argument("--save", default="", help="a file that lesson6 --load and --resume read")
    args = parser.parse_args(arguments)
    try: go_on(args)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        print(f"beyond.py: {error}".splitlines()[0], file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
