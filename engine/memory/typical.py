"""A typical shape for a bare size: what people mean by "12B" when they name no model.

Enters: parameters in 10^9, active ones too for a mixture of experts. Leaves: an `Architecture` marked `estimated`, whose count is
the one asked for: hidden width and depth follow the models of that size, the MLP takes what is left.
"""

from bisect import bisect_left
from dataclasses import replace
from math import exp, log

from engine.catalogue import Architecture

# (10^9 parameters, hidden, layers, heads, kv_heads, head_dim, vocabulary): between the widely used open models of each size, growing in
# every column, so that more parameters never need less; the 8B, 70B and 405B are Llama's.
LADDER: tuple[tuple[float, int, int, int, int, int, int], ...] = (
    (0.135, 576, 16, 9, 3, 64, 49152),
    (0.494, 896, 22, 14, 2, 128, 65536),
    (1.236, 1536, 24, 12, 4, 128, 65536),
    (1.544, 1664, 26, 13, 4, 128, 65536),
    (3.213, 2560, 28, 20, 8, 128, 65536),
    (4.022, 2816, 30, 24, 8, 128, 65536),
    (7.0, 3840, 32, 32, 8, 128, 65536),
    (8.03, 4096, 32, 32, 8, 128, 128256),
    (12.25, 5120, 40, 32, 8, 128, 131072),
    (14.77, 5120, 46, 40, 8, 128, 131072),
    (23.57, 5632, 50, 44, 8, 128, 131072),
    (32.76, 6144, 60, 48, 8, 128, 131072),
    (70.55, 8192, 80, 64, 8, 128, 131072),
    (122.6, 12288, 88, 96, 8, 128, 131072),
    (405.9, 16384, 126, 128, 8, 128, 131072),
)
LLAMA_2_13B = (13.02, 5120, 40, 40, 8, 128, 65536)  # who says 13B mostly means one of its family: a smaller vocabulary than its neighbours'
NEAR = 0.03  # a size this close to a model of the ladder takes its shape
TOP_K = 8
FEW_EXPERTS = 16
ALWAYS = 0.1  # of the parameters of a mixture: attention and embeddings, which every token passes


def _between(low: float, high: float, share: float, step: int) -> int:
    return max(step, round(exp(log(low) + share * (log(high) - log(low))) / step) * step)


def _skeleton(size: float) -> tuple[int, int, int, int, int, int]:
    """hidden, layers, heads, kv_heads, head_dim, vocabulary of a size: the near model's, or between the neighbours."""
    nearest = min((*LADDER, LLAMA_2_13B), key=lambda one: abs(log(one[0] / size)))
    if abs(nearest[0] / size - 1) <= NEAR or size <= LADDER[0][0] or size >= LADDER[-1][0]:
        return nearest[1:]
    at = bisect_left([one[0] for one in LADDER], size)
    low, high = LADDER[at - 1], LADDER[at]
    share = log(size / low[0]) / log(high[0] / low[0])
    hidden, layers = _between(low[1], high[1], share, 32), _between(low[2], high[2], share, 1)
    head_dim, kv_heads = low[5], low[4]
    heads = max(1, round(hidden / head_dim / kv_heads)) * kv_heads
    return hidden, layers, heads, kv_heads, head_dim, _between(low[6], high[6], share, 128)


def _shrunk(size: float, hidden: int, layers: int, vocab: int) -> tuple[int, int, int]:
    """Shrink width, depth and vocabulary until a tiny model holds them."""
    budget = size * 1e9
    while hidden > 64 and (vocab * hidden > budget / 2 or 4 * hidden * hidden * layers > budget / 2):
        hidden, layers, vocab = hidden // 2, max(1, layers * 3 // 4), max(256, vocab // 2)
    return hidden, layers, vocab


def _dense(size: float) -> tuple[int, int, int, int, int, int, int]:
    """hidden, layers, heads, kv_heads, head_dim, vocabulary, MLP width of a dense model; beyond the ladder both dimensions grow."""
    hidden, layers, heads, kv_heads, head_dim, vocab = _skeleton(size)
    if size > LADDER[-1][0]:
        grow = (size / LADDER[-1][0]) ** (1 / 3)
        hidden, layers = round(hidden * grow / 128) * 128, round(layers * grow)
        heads = round(hidden / head_dim / kv_heads) * kv_heads
    hidden, layers, vocab = _shrunk(size, hidden, layers, vocab)
    rest = size * 1e9 - 2 * vocab * hidden - layers * hidden * head_dim * 2 * (heads + kv_heads)
    return hidden, layers, heads, kv_heads, head_dim, vocab, max(1, round(rest / (3 * hidden * layers)))


def typical_architecture(params_b: float, active_params_b: float | None = None) -> Architecture:
    """A shape with exactly `params_b` x 10^9 parameters (`active_params_b` of them active), marked `estimated`."""
    dense = active_params_b is None or active_params_b >= params_b
    size = params_b if active_params_b is None or dense else active_params_b
    hidden, layers, heads, kv_heads, head_dim, vocab, ffn = _dense(size)
    width = max(1, ffn // TOP_K)
    experts = None if dense else TOP_K + max(1, round((params_b - size) * 1e9 / (3 * hidden * width * layers)))
    return Architecture(
        id=f"typical-{params_b:g}b",
        name=f"{params_b:g}B" if dense else f"{params_b:g}B-A{size:g}B",
        family="typical",
        hf_id=None,
        parameters=params_b * 1e9,
        active_parameters=size * 1e9,
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        ffn=ffn,
        moe_ffn=None if dense else width,
        n_experts=experts,
        top_k=None if dense else TOP_K,
        shared_experts=None,
        dense_layers=None if dense else 0,
        vocab=vocab,
        tied_embeddings=False,  # as most are; small ones that tie them have more layers instead
        attention="gqa",
        context=None,
        kv_layers=layers,
        window_layers=None,
        window=None,
        source="own-judgement",
        estimated=True,
    )


def typical_mixture(params_b: float, n_experts: int, top_k: int | None = None) -> Architecture:
    """A mixture of `params_b` x 10^9 parameters in `n_experts` experts, of which a token takes `top_k` (two of a few, else eight)."""
    taken = min(n_experts, top_k or (2 if n_experts <= FEW_EXPERTS else TOP_K))
    base = typical_architecture(params_b, params_b * (ALWAYS + (1 - ALWAYS) * taken / n_experts))
    ends = 2 * base.vocab * base.hidden
    attention = base.layers * 2 * base.hidden * base.head_dim * (base.heads + base.kv_heads)
    width = max(1, round((params_b * 1e9 - ends - attention) / (3 * base.hidden * base.layers * n_experts)))
    return replace(base, n_experts=n_experts, top_k=taken, ffn=width, moe_ffn=width)
