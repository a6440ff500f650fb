"""A typical shape for a bare size: what people mean by "12B" when they name no model.

Enters: parameters in 10^9, active ones too for a mixture of experts. Leaves: an `Architecture` marked `estimated`, whose count is
the one asked for: hidden width and depth follow the models of that size, the MLP takes what is left.
"""

from bisect import bisect_left
from math import exp, log

from engine.catalogue import Architecture

# (10^9 parameters, hidden, layers, heads, kv_heads, head_dim, vocabulary): widely used open models of each size.
LADDER: tuple[tuple[float, int, int, int, int, int, int], ...] = (
    (0.135, 576, 30, 9, 3, 64, 49152),
    (0.494, 896, 24, 14, 2, 64, 151936),
    (1.236, 2048, 16, 32, 8, 64, 128256),
    (1.544, 1536, 28, 12, 2, 128, 151936),
    (3.213, 3072, 28, 24, 8, 128, 128256),
    (4.022, 2560, 36, 32, 8, 128, 151936),
    (6.738, 4096, 32, 32, 32, 128, 32000),
    (8.03, 4096, 32, 32, 8, 128, 128256),
    (12.25, 5120, 40, 32, 8, 128, 131072),
    (13.02, 5120, 40, 40, 40, 128, 32000),
    (14.77, 5120, 48, 40, 8, 128, 152064),
    (23.57, 5120, 40, 32, 8, 128, 131072),
    (32.76, 5120, 64, 40, 8, 128, 152064),
    (70.55, 8192, 80, 64, 8, 128, 128256),
    (122.6, 12288, 88, 96, 8, 128, 32768),
    (405.9, 16384, 126, 128, 8, 128, 128256),
)
NEAR = 0.05  # a size this close to a model of the ladder takes its shape
TOP_K = 8
TIED = 4  # 10^9 parameters below which head and embedding are mostly one matrix


def _between(low: float, high: float, share: float, step: int) -> int:
    return max(step, round(exp(log(low) + share * (log(high) - log(low))) / step) * step)


def _skeleton(size: float) -> tuple[int, int, int, int, int, int]:
    """hidden, layers, heads, kv_heads, head_dim, vocabulary of a size: the near model's, or between the neighbours."""
    nearest = min(LADDER, key=lambda one: abs(log(one[0] / size)))
    if abs(nearest[0] / size - 1) <= NEAR or size <= LADDER[0][0] or size >= LADDER[-1][0]:
        return nearest[1:]
    at = bisect_left([one[0] for one in LADDER], size)
    low, high = LADDER[at - 1], LADDER[at]
    share = log(size / low[0]) / log(high[0] / low[0])
    hidden, layers = _between(low[1], high[1], share, 128), _between(low[2], high[2], share, 1)
    head_dim, kv_heads = high[5], 8 if high[4] == high[3] else high[4]
    heads = max(1, round(hidden / head_dim / kv_heads)) * kv_heads
    return hidden, layers, heads, kv_heads, head_dim, max(low[6], high[6])


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
    rest = size * 1e9 - vocab * hidden * (1 if size < TIED else 2) - layers * hidden * head_dim * 2 * (heads + kv_heads)
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
        tied_embeddings=size < TIED,
        attention="gqa",
        context=None,
        kv_layers=layers,
        window_layers=None,
        window=None,
        source="own-judgement",
        estimated=True,
    )
