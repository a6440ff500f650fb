"""Code paths of LitGPT that differ from transformers [bytes a token and layer].

One fused projection for queries, keys and values; keys and values repeated for every head; norms scaled in fp32; every adapter
drops out its own copy of the input; head and embedding are always two matrices; 4-bit products keep their inputs; gradients pile up
unsharded between optimizer steps. Source key: litgpt.
"""

from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import FOUR_BIT, adapted


def attention_bytes(shape: Shape, setup: Setup) -> float:
    """Queries, repeated keys and values, output; soft-capped scores have no fused kernel."""
    whole = 8.0 * shape.q + 4 * shape.heads
    if shape.k == shape.q:
        whole += 2 * (shape.q + shape.k)  # values are a view that keeps the fused tensor
    if shape.family.softcap or setup.attention == "eager":
        whole += (8 if shape.family.softcap else 6) * shape.heads * setup.sequence_length
    return whole


def adapter_bytes(shape: Shape, setup: Setup) -> float:
    """Dropped copy (16 bit) and mask (8 bit) of each adapter's input; outputs of a partly adapted fused projection are kept twice."""
    names = adapted(shape, setup)
    fused = [name for name in names if name in ("q", "k", "v")]
    reads = {"o": shape.out, "gate": shape.hidden, "up": shape.hidden, "down": shape.ffn}
    kept = 3.0 * (shape.hidden * bool(fused) + sum(width for name, width in reads.items() if name in names))
    if 0 < len(fused) < 3:
        kept += 2 * sum({"q": shape.q, "k": shape.k, "v": shape.k}[name] for name in fused)
    return kept + quantised_bytes(shape, setup)


def quantised_bytes(shape: Shape, setup: Setup) -> float:
    """4-bit products keep every input, of qkv, output, gate and up each, down: in 16 bit in 2023, in fp32 in 2024; between the two."""
    if setup.weight_dtype not in FOUR_BIT:
        return 0.0
    return 3.0 * (shape.hidden + shape.out + shape.hidden * (2 if shape.family.gated else 1) + shape.ffn)


def gathered_gradients(shape: Shape) -> float:
    """Gradients of a card under FSDP [bytes]: whole while batches accumulate, as no synchronisation splits them; adapters lie in one
    flat parameter with their layer, so its frozen weights have room for gradients too."""
    untied = shape.embedding if shape.tied else 0.0
    return 2.0 * (shape.parameters + untied)


def unpacked(shape: Shape) -> float:
    """The widest 4-bit matrix unpacked to fp32, usually the head [bytes]."""
    return 4.0 * max(shape.embedding, shape.hidden * shape.ffn)
