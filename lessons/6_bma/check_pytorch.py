# Lesson 6 beside PyTorch: a batch through each variant, and automatic differentiation's gradients
# minus ours, at most 6e-15.
#   make lesson6 ARGS="--export lesson6.safetensors" && python3 lessons/6_bma/check_pytorch.py
# SPDX-License-Identifier: MIT
import torch
from safetensors.torch import load_file
f = load_file("lesson6.safetensors")
heads = lambda x: x.unflatten(2, (2, -1)).transpose(1, 2)        # sequences x heads x tokens x m
later = torch.ones(5, 5, dtype=torch.bool).triu(1)
for name in "standard", "half", "bma", "attending", "post":
    p = {k.split(".")[2]: v.requires_grad_() for k, v in f.items() if k.startswith(name + ".param")}
    X, G = f["input.X"].clone().requires_grad_(), 0.5            # sequences x tokens x width
    Q, K, V = (heads(X @ p["W" + c] + p["b" + c]) for c in "qkv")
    if "Wg" in p: G = torch.sigmoid(Q @ p["Wg"])
    if "Wp" in p: G = heads(torch.sigmoid(X @ p["Wp"] + p["bp"]))
    if name in ("half", "bma"): V = G * V
    A = (Q @ K.transpose(2, 3) / 3 ** 0.5).masked_fill(later, -torch.inf).softmax(3)
    M = A @ V if name in ("standard", "half", "bma") else G * (A @ V)
    Y = M.transpose(1, 2).flatten(2) @ p["Wo"] + p["bo"]
    (f["input.R"] * Y).sum().backward()
    for k, v in {**p, "X": X}.items():
        print(name, k, (v.grad - f[f"{name}.grad.{k}"]).abs().max().item())   # at most 6e-15
