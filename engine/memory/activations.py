"""What a step keeps beside the states [bytes]: saved activations, one layer's work, logits."""

from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import FOUR_BIT, adapted

# Share of a layer's activations that selective checkpointing keeps (matrix products are kept, elementwise work is redone).
SELECTIVE = 0.35

# Bytes a logit: HF upcasts to fp32 (bf16 logits, fp32 copy, its gradient, softmax), kernels do less.
LOGIT_BYTES = {"fp32": 12.0, "bf16": 8.0, "fused_ce": 8.0, "chunked": 4.0, "fused_linear": 0.0, "last_token": 0.0}


def _adapter_inputs(shape: Shape, setup: Setup) -> float:
    """Bytes a token and layer the adapters keep: their inputs in 16 bit, once each where they are fp32 and cast it themselves."""
    names = adapted(shape, setup)
    cast_each = setup.adapter_dtype == "fp32"

    def count(group: tuple[str, ...]) -> int:
        hits = sum(name in names for name in group)
        return hits if cast_each else min(hits, 1)

    h, q, f = shape.hidden, shape.q, shape.ffn
    width = 2 if setup.autocast or not cast_each else 4
    kept: float = width * h * count(("q", "k", "v")) + width * q * count(("o",))
    kept += width * h * shape.top_k * count(("gate", "up")) + width * f * count(("down",))
    return kept + 2 * setup.rank * len(names)


def layer_bytes(shape: Shape, setup: Setup) -> float:
    """Bytes a token keeps in one layer without checkpointing: norm inputs in fp32, projections, MLP, adapter inputs, softmax."""
    h, q, k, f = shape.hidden, shape.q, shape.k, shape.ffn
    norms = shape.family.norms * 4 * h
    attention = 4 * q + 4 * k
    if setup.kind == "adapters":
        kept = norms + attention + (6 if shape.family.gated else 2) * f + _adapter_inputs(shape, setup)
    else:
        kept = 2 * norms + attention + (8 if shape.family.gated else 4) * f
        kept += 11 * h if setup.autocast and setup.weight_dtype == "fp32" and not setup.split_weights else 0
    if setup.attention == "eager" or shape.family.eager:
        kept += 6 * shape.heads * setup.sequence_length + (4 * q if k < q else 0)
    return kept


def checkpoint_bytes(shape: Shape, setup: Setup) -> float:
    """Bytes a token keeps in one layer with checkpointing: the layer's input, fp32 where the residual stream is."""
    return (4 if setup.wide_stream else 2) * shape.hidden


def flight_bytes(shape: Shape) -> float:
    """Bytes a token of gradients in flight inside one layer."""
    return (6 if shape.family.gated else 3) * shape.ffn + 4 * shape.hidden


def saved(shape: Shape, setup: Setup) -> float:
    """Activations all layers keep until backward [bytes]."""
    full, checkpoint = layer_bytes(shape, setup), checkpoint_bytes(shape, setup)
    each = {"none": full, "selective": SELECTIVE * full + checkpoint, "full": checkpoint}[setup.checkpointing]
    return setup.tokens * shape.layers * each


def work(shape: Shape, setup: Setup) -> float:
    """What one layer needs while its backward runs: its activations again and the gradients in flight [bytes]."""
    return setup.tokens * (layer_bytes(shape, setup) + flight_bytes(shape))


def logit_width(shape: Shape, setup: Setup) -> float:
    """Bytes a token of logits and loss; the caps of Gemma 2 and an fp32 stream keep one more 16-bit copy each."""
    width = LOGIT_BYTES[setup.loss]
    if setup.loss == "fp32":
        width += 2 * shape.family.softcap + 2 * (setup.kbit_upcast == "stream")
    return width * shape.vocab


def dequantised(shape: Shape, setup: Setup) -> float:
    """One 4-bit matrix unpacked to 16 bit [bytes]."""
    if setup.weight_dtype not in FOUR_BIT:
        return 0.0
    return 2.0 * max(shape.hidden * shape.expert_ffn, shape.hidden * shape.q)
