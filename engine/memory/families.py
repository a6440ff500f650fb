"""What a family of architectures does differently inside a layer: norms, fused projections, gates, biases.

Enters: an `Architecture` or a model_type of a config.json. Leaves: the `Family` whose traits the activation terms and the
parameter count read. Source key of the table: modelling-code (the families' code in transformers, read by running it on
tensors without storage; see tests/memory/README.md).
"""

from dataclasses import dataclass
from typing import Literal

from engine.catalogue import Architecture


@dataclass(frozen=True, slots=True)
class Family:
    """Traits of one layer; the default is Llama's: two RMS norms, gated MLP, separate projections without biases."""

    gated: bool = True
    norms: int = 2  # of the hidden width, per layer
    norm: Literal["rms", "gemma", "layer"] = "rms"
    qk_norm: Literal["none", "head", "full"] = "none"
    fused_qkv: bool = False
    fused_mlp: bool = False
    parallel: bool = False  # attention and MLP read the same norm
    softcap: bool = False  # on the logits
    eager: bool = False  # has no fused attention kernel
    sinks: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    positions: int = 0  # learned position embeddings
    norm_bias: bool = False
    tied: bool = False  # what a config.json that does not say means


LLAMA = Family()
_QWEN = Family(qkv_bias=True)
_NEOX = Family(gated=False, norm="layer", norm_bias=True, fused_qkv=True, parallel=True, qkv_bias=True, output_bias=True, mlp_bias=True)
_GPT2 = Family(
    gated=False, norm="layer", norm_bias=True, fused_qkv=True, qkv_bias=True, output_bias=True, mlp_bias=True, positions=1024, tied=True
)
_PHI3 = Family(fused_qkv=True, fused_mlp=True)
_GEMMA = Family(norm="gemma", tied=True)
_GEMMA3 = Family(norms=4, norm="gemma", qk_norm="head", tied=True)
_OLMO2 = Family(qk_norm="full")
_STARCODER2 = Family(gated=False, norm="layer", norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True, tied=True)

FAMILIES: dict[str, Family] = {
    "qwen1.5": _QWEN,
    "qwen2": _QWEN,
    "qwen2.5": _QWEN,
    "qwen": _QWEN,
    "qwen3": Family(qk_norm="head"),
    "qwen3.5": Family(qk_norm="head"),
    "qwen3.6": Family(qk_norm="head"),
    "qwen3.8": Family(qk_norm="head"),
    "gemma": _GEMMA,
    "gemma2": Family(norms=4, norm="gemma", softcap=True, tied=True),
    "gemma3": _GEMMA3,
    "gemma3n": _GEMMA3,
    "gemma4": _GEMMA3,
    "phi": Family(gated=False, norm="layer", norm_bias=True, parallel=True, qkv_bias=True, output_bias=True, mlp_bias=True),
    "phi3": _PHI3,
    "phi4": _PHI3,
    "glm": Family(norms=4, fused_mlp=True, qkv_bias=True),
    "gpt-oss": Family(eager=True, sinks=True, qkv_bias=True, output_bias=True, mlp_bias=True),
    "olmo2": _OLMO2,
    "olmo3": _OLMO2,
    "exaone": Family(qk_norm="head"),
    "cohere": Family(norm="layer", parallel=True, tied=True),
    "falcon": Family(gated=False, norm="layer", norm_bias=True, fused_qkv=True, parallel=True, tied=True),
    "gpt2": _GPT2,
    "gptj": Family(gated=False, norm="layer", norm_bias=True, parallel=True, mlp_bias=True),
    "gptneox": _NEOX,
    "pythia": _NEOX,
    "bloom": Family(gated=False, norm="layer", norm_bias=True, fused_qkv=True, qkv_bias=True, output_bias=True, mlp_bias=True, tied=True),
    "opt": Family(gated=False, norm="layer", norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True, positions=2050, tied=True),
    "mpt": Family(gated=False, norm="layer", fused_qkv=True, tied=True),
    "starcoder": _GPT2,
    "starcoder2": _STARCODER2,
    "nemotron": Family(gated=False, norm="layer", norm_bias=True),
    "arcee": Family(gated=False),
    "dbrx": Family(norm="layer", fused_qkv=True),
    "embedding": Family(gated=False, norm="layer", norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True),
}


def family_of(architecture: Architecture) -> Family:
    """The traits of an architecture's family; Llama's where the family is not known."""
    return FAMILIES.get(architecture.family, LLAMA)
