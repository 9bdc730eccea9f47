# Lesson 6 beside JAX, or NumPy where that is missing: the write-up's gated attention, minus ours.
#   make lesson6 ARGS="--export lesson6.safetensors" && python3 lessons/6_bma/check_jax.py
# SPDX-License-Identifier: MIT
from safetensors.numpy import load_file
try:
    import jax; jax.config.update("jax_enable_x64", True); import jax.numpy as np
except ImportError: import numpy as np
f = load_file("lesson6.safetensors")
p, X = {k.split(".")[2]: v for k, v in f.items() if k.startswith("bma.param")}, f["input.X"]
heads = lambda x: x.reshape(2, 5, 2, 3).swapaxes(1, 2)           # sequences x heads x tokens x m
def bma(p, X):
    Q, K, V = (heads(X @ p["W" + c] + p["b" + c]) for c in "qkv")
    G = 1 / (1 + np.exp(-(Q @ p["Wg"])))
    A = np.tril(np.exp(Q @ K.swapaxes(2, 3) / 3 ** 0.5))
    M = A / A.sum(3, keepdims=True) @ (G * V)
    return M.swapaxes(1, 2).reshape(2, 5, 6) @ p["Wo"] + p["bo"]
print("Y", abs(bma(p, X) - f["bma.output.Y"]).max())             # at most 2e-15
