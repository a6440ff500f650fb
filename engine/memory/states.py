"""What lies on the card between steps [bytes]: weights, adapters, gradients, optimizer states."""

from engine.memory.setup import Setup
from engine.memory.shape import Shape

# Bytes a weight. NF4: half a byte and a scale a block of 64, fp32 or quantised again; GPTQ/AWQ: groups of 128 with fp16 scale
# and packed zero point; q4, q5, q8: llama.cpp's Q4_K_M, Q5_K_M, Q8_0 (whole file over parameters).
BYTES: dict[str, float] = {
    "fp32": 4,
    "bf16": 2,
    "fp16": 2,
    "int8": 1,
    "fp8": 1,
    "nf4": 0.5625,
    "nf4-dq": 0.5159,
    "gptq4": 0.5159,
    "awq4": 0.5159,
    "q4": 0.613,
    "q5": 0.714,
    "q8": 1.063,
}
KEEP_EMBEDDINGS: frozenset[str] = frozenset({"int8", "fp8", "nf4", "nf4-dq", "gptq4", "awq4"})
FOUR_BIT: frozenset[str] = frozenset({"nf4", "nf4-dq", "gptq4", "awq4"})

_QKV = ("q", "k", "v")
TARGETS: dict[str, tuple[str, ...]] = {
    "all": (*_QKV, "o", "gate", "up", "down"),
    "all+head": (*_QKV, "o", "gate", "up", "down", "head"),
    "all+embeddings": (*_QKV, "o", "gate", "up", "down"),
    "attn": (*_QKV, "o"),
    "qv": ("q", "v"),
    "mlp": ("gate", "up", "down"),
    "qvo": ("q", "v", "o"),
    "qvo+mlp": ("q", "v", "o", "gate", "up", "down"),
}


def adapted(shape: Shape, setup: Setup) -> tuple[str, ...]:
    """The projections that carry an adapter."""
    if setup.kind != "adapters":
        return ()
    names = TARGETS[setup.targets]
    return names if shape.family.gated else tuple(name for name in names if name != "gate")


def weight_width(setup: Setup) -> float:
    """Bytes of one weight of the base on the card."""
    return 2.0 if setup.master_in_ram else BYTES[setup.weight_dtype]


def weights(shape: Shape, setup: Setup) -> float:
    """Base weights [bytes]: decoder in the weight dtype; embedding and head stay 16-bit under 4 and 8 bit, fp32 after k-bit upcast."""
    width = weight_width(setup)
    if setup.framework == "litgpt":  # head never tied, and quantised like the rest
        untied = shape.decoder + 2 * shape.embedding
        return (untied - shape.embedding) * width + shape.embedding * (2 if setup.weight_dtype in KEEP_EMBEDDINGS else width)
    if setup.weight_dtype in KEEP_EMBEDDINGS:
        return shape.decoder * width + shape.embeddings * (4 if setup.kbit_upcast == "embeddings" else 2)
    return shape.parameters * width


def adapter_parameters(shape: Shape, setup: Setup) -> float:
    """Parameters of the adapters: rank x (inputs + outputs) of each projection, every expert its own; trained embeddings count whole."""
    names, family = adapted(shape, setup), shape.family
    if not names:
        return 0.0
    h, q, k, v = shape.hidden, shape.q, shape.k, shape.v
    each = {"q": h + q, "k": h + k, "v": h + v, "o": shape.out + h}
    if shape.kv_lora:  # the projections down to the latents and up again
        each |= {"k": h + shape.latent, "v": 2 * shape.kv_lora + k + v, "q": h + q + 2 * shape.q_lora if shape.q_lora else h + q}
    ends: float = sum(each.get(name, 0) for name in names)
    if family.fused_qkv and "q" in names:
        ends -= h * (sum(name in names for name in ("q", "k", "v")) - 1)
    inner = sum(name in names for name in ("gate", "up", "down"))
    experts = shape.n_experts * shape.moe_share if family.expert_adapters else 0.0
    width, blocks = shape.ffn + shape.expert_ffn * experts, (shape.ffn > 0) + experts
    ends += inner * width + (inner - (inner == 3 and family.fused_mlp)) * h * blocks
    count = setup.rank * shape.layers * ends
    if "head" in names:
        count += setup.rank * (h + shape.vocab)
    return count


def saved_modules(shape: Shape, setup: Setup) -> float:
    """Parameters of whole modules trained beside adapters: a copy of embedding and head, which PEFT keeps in the base's dtype."""
    return shape.embeddings if setup.kind == "adapters" and setup.targets == "all+embeddings" else 0.0


def trained_parameters(shape: Shape, setup: Setup) -> float:
    """Parameters that get a gradient."""
    untied = shape.embedding if setup.framework == "litgpt" and shape.tied else 0.0
    if setup.kind == "adapters":
        return adapter_parameters(shape, setup) + saved_modules(shape, setup)
    return shape.parameters + untied if setup.kind == "full" else 0.0


def trained_width(shape: Shape, setup: Setup) -> float:
    """Bytes of one trained parameter; the mean where whole modules are trained beside adapters."""
    if setup.kind == "full":
        return BYTES[setup.weight_dtype]
    whole, width = saved_modules(shape, setup), BYTES[setup.adapter_dtype]
    if not whole:
        return width
    count = trained_parameters(shape, setup)
    return ((count - whole) * width + whole * (4 if setup.weight_dtype == "fp32" else 2)) / count


def gradient_width(shape: Shape, setup: Setup) -> float:
    """Bytes of one gradient on the card: the parameter's own dtype; offloading sends it to CPU memory in 16 bit."""
    return 2.0 if setup.master_in_ram else trained_width(shape, setup)


def state_width(shape: Shape, setup: Setup) -> float:
    """Optimizer bytes a trained parameter: two moments (AdamW), quantised blocks of 256 (8-bit), one (Lion, momentum), rows and
    columns only (Adafactor); `fp32_master` adds DeepSpeed's fp32 copy of 16-bit weights."""
    width = {"fp32": 4.0, "bf16": 2.0, "fp32_master": 4.0, "parameter": trained_width(shape, setup)}[setup.optimizer_states]
    master = 4.0 if setup.keeps_master else 0.0
    return (
        master
        + {
            "adamw": 2 * width,
            "adamw8bit": 2.03,
            "paged_adamw": 2 * width,
            "paged_adamw8bit": 2.03,
            "adafactor": 0.02,
            "sgd": 0.0,
            "lion": width,
            "muon": width,
        }[setup.optimizer]
    )
