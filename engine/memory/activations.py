"""What a step keeps beside the states [bytes]: saved activations, one layer's work, logits."""

from engine.memory import litgpt
from engine.memory.layer import keeps_scores, layer_bytes, mlp_bytes, norm_bytes
from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import FOUR_BIT, adapted

# Share of a layer's activations that selective checkpointing keeps (matrix products are kept, elementwise work is redone).
SELECTIVE = 0.35

# Bytes a logit at the end of forward and at the start of backward. HF upcasts to fp32: 16-bit logits, fp32 copy and softmax, then
# softmax and two gradients; fused and chunked losses do less, a fused linear loss makes them in chunks no larger than a few hidden states.
LOGITS: dict[str, tuple[float, float]] = {
    "fp32": (10, 12),
    "bf16": (6, 8),
    "fused_ce": (6, 8),
    "chunked": (4, 4),
    "fused_linear": (0, 0),
    "last_token": (0, 0),
}
# The same where the model's code leaves them in 16 bit; under autocast the loss casts them, and they are returned in fp32 as well.
LEFT_LOGITS: dict[str, tuple[float, float]] = {"fp32": (6, 8), "fused_ce": (6, 6)}
LEFT_UNDER_AUTOCAST: dict[str, tuple[float, float]] = {"fp32": (14, 18), "fused_ce": (10, 14)}

# Bytes per unit of hidden width a fused linear loss needs for a chunk of logits and the gradient of its input (Liger's chunk size).
CHUNK = 8.0


def checkpoint_bytes(shape: Shape, setup: Setup) -> float:
    """Bytes a token keeps in one layer with checkpointing: the layer's input, fp32 where the residual stream is."""
    return (4 if setup.wide_stream else 2) * shape.hidden


def flight_bytes(shape: Shape, setup: Setup) -> float:
    """Bytes a token of gradients in flight inside one layer, at its widest: both sides of the gate, and the stream's."""
    inner = (4 if shape.family.gated else 2) * (shape.ffn + shape.routed)
    scores = 6 * shape.heads * setup.sequence_length if keeps_scores(shape, setup) else 0
    return setup.wide * (max(inner, scores) + 2 * shape.hidden * shape.copies) + (6 if setup.wide_stream else 4) * shape.hidden


def saved(shape: Shape, setup: Setup) -> float:
    """Activations all layers keep until backward [bytes]."""
    each = checkpoint_bytes(shape, setup)
    if setup.checkpointing != "full":
        whole, _ = layer_bytes(shape, setup)
        each = whole if setup.checkpointing == "none" else SELECTIVE * whole + each
    merged = merged_experts(shape, setup) * shape.layers if setup.checkpointing == "none" else 0.0
    return setup.tokens * (shape.layers * each + final_bytes(shape, setup) - ungraded_bytes(shape, setup)) + merged


def ungraded_bytes(shape: Shape, setup: Setup) -> float:
    """Bytes a token the first layer does not keep: under frozen embeddings its norm's input needs no gradient, nor does an MLP
    without adapters that reads the same norm."""
    family = shape.family
    if setup.kind != "adapters" or setup.checkpointing != "none" or not family.pre_norms:
        return 0.0
    bare = family.parallel and not set(adapted(shape, setup)) & {"gate", "up", "down"}
    return norm_bytes(shape, setup, True) * shape.hidden + (mlp_bytes(shape, setup) if bare else 0.0)


def final_bytes(shape: Shape, setup: Setup) -> float:
    """Bytes a token of the last norm and the head's input."""
    return (8 if setup.trains_base else 4) * shape.hidden


def work_bytes(shape: Shape, setup: Setup) -> float:
    """Bytes a token of one layer's backward: its activations again (checkpointing) and the gradients in flight."""
    again = 0.0 if setup.checkpointing == "none" else layer_bytes(shape, setup)[1]
    return again + flight_bytes(shape, setup)


def work(shape: Shape, setup: Setup) -> float:
    """What one layer needs while its backward runs [bytes]."""
    merged = 0.0 if setup.checkpointing == "none" else merged_experts(shape, setup) * 4 / 3
    return setup.tokens * work_bytes(shape, setup) + merged


def merged_experts(shape: Shape, setup: Setup) -> float:
    """Adapters on experts stored as one tensor: PEFT adds them to a copy of the layer's experts, then a third more in backward [bytes]."""
    reached = shape.n_experts and shape.family.expert_adapters and "up" in adapted(shape, setup)
    if not reached or setup.framework != "hf":
        return 0.0
    return 2.0 * shape.expert_parameters


def logit_bytes(shape: Shape, setup: Setup) -> tuple[float, float]:
    """Bytes a token of logits and loss at the end of forward and at the start of backward."""
    left = {} if shape.family.upcasts else LEFT_UNDER_AUTOCAST if setup.autocast else LEFT_LOGITS
    forward, backward = left.get(setup.loss, LOGITS[setup.loss])
    if shape.headless:
        return 0.0, 0.0
    if setup.loss == "fused_linear":
        return CHUNK * shape.hidden, CHUNK * shape.hidden
    if setup.framework == "litgpt" and setup.loss in ("chunked", "fp32"):
        forward, backward = (10, 10.5) if setup.kind == "adapters" else (4, 6)
    if setup.framework == "torchtune" and setup.loss == "chunked":
        forward, backward = 2.25, 2.25  # compiled, as its recipes were measured: all chunks in 16 bit, one at work; eager keeps 6.5
    if setup.framework == "fsdp_qlora" and setup.loss == "fp32":
        forward, backward = 12, 16  # transformers of early 2024: fp32 logits are returned, and shifted by a copy
    if setup.framework == "qwen" and setup.loss == "bf16" and setup.autocast and setup.weight_dtype in ("bf16", "fp32"):
        forward, backward = 12, 16  # cast to fp32 by autocast, shifted by a copy, returned in fp32
    more = 2 * shape.family.softcap + 2 * (setup.kbit_upcast == "stream" and not setup.split_weights) if setup.loss == "fp32" else 0
    return (forward + more) * shape.vocab, (backward + more) * shape.vocab


def unpacked(shape: Shape, setup: Setup) -> float:
    """One 4-bit matrix unpacked to 16 bit [bytes]."""
    if setup.weight_dtype not in FOUR_BIT:
        return 0.0
    if setup.framework == "litgpt":
        return litgpt.unpacked(shape)
    widest = shape.hidden * max(shape.expert_ffn, shape.q, shape.ffn * (2 if shape.family.fused_mlp else 1))
    return 2.0 * widest
