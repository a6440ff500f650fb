"""What one token leaves in one layer until backward, part by part [bytes a token]: norms, projections, attention, MLP, adapters.

Every formula follows what autograd saves in the family's code (source key: tf): a matrix product saves its input
only if its weight is trained or carries an adapter, a norm saves its input in fp32, an activation its input, a product both sides.
"""

from engine.memory import litgpt
from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import adapted

_SCALED_WIDE = ("litgpt", "torchtune")  # their RMS norms scale in fp32


def norm_bytes(shape: Shape, setup: Setup, on_stream: bool) -> float:
    """One norm, bytes per unit of width: its input in fp32, and what its own weight's gradient needs."""
    kind, trained = shape.family.norm, setup.trains_base
    if kind == "layer":
        return 4 if setup.autocast or setup.wide_stream else 2
    if kind == "plain":
        return 2
    if kind == "centred":
        return 12 if trained else 8
    if kind == "bare" or not trained:
        return 4
    if setup.framework in _SCALED_WIDE:
        return 8
    return 8 if kind == "wide" or (setup.wide_stream and on_stream) else 6


def norms(shape: Shape, setup: Setup) -> float:
    """The norms of the hidden width, and of latents."""
    family = shape.family
    pre_norms = family.pre_norms
    if family.parallel and family.norm == "layer" and (setup.wide_stream or not setup.autocast):
        pre_norms = min(1, pre_norms)  # both norms keep the same tensor
    total = shape.hidden * (pre_norms * norm_bytes(shape, setup, True) + family.post_norms * norm_bytes(shape, setup, False))
    if shape.kv_lora:
        total += (shape.kv_lora + shape.q_lora) * (norm_bytes(shape, setup, False) + 2 * setup.trains_base)
    return total


def readers(shape: Shape) -> tuple[int, int]:
    """Projections that read the stream in attention and in the MLP."""
    attention = 1 if shape.family.fused_qkv else 2 if shape.kv_lora else 3
    return attention, 2 if shape.family.gated and not shape.family.fused_mlp else 1


def trained_inputs(shape: Shape, setup: Setup) -> float:
    """Inputs of the projections that read the stream, kept for their weights' gradients; fp32 inputs are cast by each reader."""
    h, (attention, mlp) = shape.hidden, readers(shape)
    if setup.wide_stream and setup.autocast:
        return 2.0 * h * (attention + mlp) + 2.0 * h * shape.copies
    shared = shape.family.parallel and shape.family.pre_norms == 1
    return 2.0 * h * (1 if shared else 2) + 2.0 * h * shape.copies


def adapter_inputs(shape: Shape, setup: Setup) -> float:
    """Inputs of the adapters: each fp32 adapter casts its own 16-bit copy, 16-bit adapters share what their neighbours read."""
    names, family = adapted(shape, setup), shape.family
    each = setup.adapter_dtype == "fp32"
    width = 2 if setup.autocast or not each else 4
    attention, mlp = sum(name in names for name in ("q", "k", "v")), sum(name in names for name in ("gate", "up"))
    attention, mlp = min(attention, 1) if family.fused_qkv else attention, min(mlp, 1) if family.fused_mlp else mlp
    streams = attention + mlp * (1 if shape.ffn else 0)
    if not each:
        streams = min(attention, 1) + min(mlp, 1) * (1 if shape.ffn else 0)
        streams = min(streams, 1) if family.parallel and family.pre_norms == 1 else streams
    kept_anyway = not family.gated and family.activation == "relu" and not each
    total: float = width * shape.hidden * streams
    total += width * shape.out * ("o" in names and each) + width * shape.ffn * ("down" in names and not kept_anyway)
    if shape.n_experts and "up" in names and family.expert_adapters:
        total += 2 * shape.hidden * shape.copies + 2 * shape.routed
    return total + 2 * setup.rank * len(names)


def keeps_scores(shape: Shape, setup: Setup) -> bool:
    """Attention without a fused kernel: asked for, the family's, or torchtune's where scores are soft-capped."""
    return setup.attention == "eager" or shape.family.eager or (setup.framework == "torchtune" and shape.family.softcap)


def attention_bytes(shape: Shape, setup: Setup) -> float:
    """Queries, keys, values and output of a fused kernel with its statistics, or the score matrices of eager attention."""
    q, k, v, out, family = shape.q, shape.k, shape.v, shape.out, shape.family
    total: float = 2 * (q + k + v + out) + 4 * shape.heads
    if family.fused_qkv and family.rotary and family.fused_values != "copied":
        # the fused tensor stays beside rotated queries and keys, or keys and values fill all heads
        total += 2 * (q + k) if family.fused_values == "views" else 4 * (q - k)
    if shape.kv_lora:
        total += 2 * (k + v)  # keys are put together from two projections, values are a view of one of them
    if family.output_gate:
        total += 2 * out * (2 if setup.trains_base else 1)  # the gate, and the gated output where its projection needs it
    if k < q and (setup.framework == "torchtune" or keeps_scores(shape, setup)):
        total += 2 * (2 * q - k - v)  # repeated for every head
    if keeps_scores(shape, setup):
        width = 2 if family.sinks else 6 + 2 * family.softcap
        total += width * shape.heads * setup.sequence_length
        if setup.kind == "adapters" and (setup.adapter_dtype == "fp32" or "o" not in adapted(shape, setup)):
            total -= 2 * out  # no kernel keeps the output, and a frozen projection does not need it
    return total


def mlp_bytes(shape: Shape, setup: Setup) -> float:
    """Activations of the MLP: what the nonlinearity and the gate save, and the input of the last projection where it is needed."""
    family, width = shape.family, shape.ffn + shape.routed
    saved = 6 if family.gated else {"smooth": 2, "relu": 2, "relu2": 2, "composite": 8}[family.activation]
    if setup.framework == "litgpt":
        saved = saved if family.gated else 2  # its GELU is one kernel
    if setup.trains_base and (family.gated or family.activation != "relu"):
        saved += 2
    saved += 2 * family.gate_steps
    routing = 2 * shape.hidden * (shape.copies + (family.shared_gate and shape.copies > 0)) + 8 * shape.n_experts
    return saved * width + routing


def delta_bytes(shape: Shape, setup: Setup) -> float:
    """A gated delta net as transformers runs it without extra kernels: chunks in fp32, 84 bytes a unit of the values' width (92 where
    adapters cast), 8 of the keys', found by running it with several widths. Qwen makes the values as wide as attention's queries."""
    return (84.0 if setup.trains_base else 92.0) * shape.q + 8.0 * shape.q / 2


def mixer_bytes(shape: Shape, setup: Setup) -> tuple[float, float]:
    """What mixes tokens in an average layer, and in the widest one: attention with its norms, or mostly delta nets."""
    attention = litgpt.attention_bytes(shape, setup) if setup.framework == "litgpt" else attention_bytes(shape, setup)
    if shape.family.qk_norm != "none":
        attention += (shape.q + shape.k) * norm_bytes(shape, setup, False)
    if not shape.family.delta_net:
        return attention, attention
    share, delta = shape.kv_layers / shape.layers, delta_bytes(shape, setup)
    return share * attention + (1 - share) * delta, max(attention, delta)


def layer_bytes(shape: Shape, setup: Setup) -> tuple[float, float]:
    """Everything one token keeps without checkpointing in an average layer, and in the widest one."""
    if setup.trains_base:
        inputs = setup.wide * trained_inputs(shape, setup)
    else:
        inputs = litgpt.adapter_bytes(shape, setup) if setup.framework == "litgpt" else adapter_inputs(shape, setup)
    common = norms(shape, setup) + setup.wide * mlp_bytes(shape, setup) + shape.family.dropouts * shape.hidden + inputs
    average, widest = mixer_bytes(shape, setup)
    return common + setup.wide * average, common + setup.wide * widest
