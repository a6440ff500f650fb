"""What a family of architectures does differently inside a layer: norms, fused projections, gates, biases.

Enters: an `Architecture` or a model_type of a config.json. Leaves: the `Family` whose traits the activation terms and the
parameter count read. Source key of the table: modelling-code (each family's code in transformers, run on tensors without
storage; tests/memory/README.md says how).
"""

from dataclasses import dataclass
from typing import Literal

from engine.catalogue import Architecture


@dataclass(frozen=True, slots=True)
class Family:
    """Traits of one layer; the default is Llama's: two RMS norms, gated MLP, separate projections without biases."""

    gated: bool = True
    norms: int = 2  # of the hidden width, per layer
    norm: Literal["rms", "gemma", "layer", "bare"] = "rms"  # gemma: scales by 1 + weight in fp32; bare: without weights
    qk_norm: Literal["none", "head", "full"] = "none"
    fused_qkv: bool = False
    fused_mlp: bool = False
    parallel: bool = False  # attention and MLP add to the same residual
    softcap: bool = False  # on the logits
    eager: bool = False  # has no fused attention kernel
    sinks: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    bias_means: Literal["all", "qkv"] = "all"  # what attention_bias of a config.json switches
    mlp_bias: bool = False
    norm_bias: bool = False
    head_bias: bool = False
    embedding_norm: bool = False
    positions: int = 0  # rows of learned position embeddings beyond those of the config
    learned_positions: bool = False
    correction_bias: bool = False  # of the router
    shared_gate: bool = False  # of the shared expert
    output_gate: bool = False  # of attention: a query projection twice as wide
    tied: bool = False  # what a config.json that does not say means


LLAMA = Family()
_QWEN2 = Family(qkv_bias=True, bias_means="qkv", shared_gate=True)
_QWEN3 = Family(qk_norm="head")
_QWEN_NEXT = Family(qk_norm="head", norm="gemma", shared_gate=True, output_gate=True)
_ALL_BIASES = {"qkv_bias": True, "output_bias": True, "mlp_bias": True, "norm": "layer", "norm_bias": True, "gated": False}
_NEOX = Family(fused_qkv=True, parallel=True, **_ALL_BIASES)  # type: ignore[arg-type]
_GPT2 = Family(fused_qkv=True, learned_positions=True, tied=True, **_ALL_BIASES)  # type: ignore[arg-type]
_PHI3 = Family(fused_qkv=True, fused_mlp=True)
_GEMMA3 = Family(norms=4, norm="gemma", qk_norm="head", tied=True)
_DEEPSEEK = Family(correction_bias=True)

FAMILIES: dict[str, Family] = {
    "qwen1.5": _QWEN2,
    "qwen2": _QWEN2,
    "qwen2.5": _QWEN2,
    "qwen": Family(qkv_bias=True, bias_means="qkv", fused_qkv=True),
    "qwen3": _QWEN3,
    "qwen3-next": _QWEN_NEXT,
    "qwen3.5": _QWEN_NEXT,
    "qwen3.6": _QWEN_NEXT,
    "qwen3.8": _QWEN_NEXT,
    "gemma": Family(norm="gemma", tied=True),
    "gemma2": Family(norms=4, norm="gemma", softcap=True, tied=True),
    "gemma3": _GEMMA3,
    "gemma3n": _GEMMA3,
    "gemma4": _GEMMA3,
    "phi": Family(norms=1, parallel=True, head_bias=True, **_ALL_BIASES),  # type: ignore[arg-type]
    "phi3": _PHI3,
    "phi4": _PHI3,
    "phimoe": Family(norm="layer", norm_bias=True, head_bias=True),
    "deepseek-v2": LLAMA,
    "deepseek-v3": _DEEPSEEK,
    "kimi": _DEEPSEEK,
    "glm": Family(fused_mlp=True, qkv_bias=True, bias_means="qkv"),
    "glm4": Family(norms=4, fused_mlp=True, bias_means="qkv"),
    "glm4moe": Family(qk_norm="none", bias_means="qkv", correction_bias=True),
    "chatglm": Family(fused_qkv=True, fused_mlp=True, qkv_bias=True, bias_means="qkv"),
    "gpt-oss": Family(eager=True, sinks=True, qkv_bias=True, output_bias=True, mlp_bias=True),
    "olmo": Family(norm="bare"),
    "olmo2": Family(qk_norm="full"),
    "olmo3": Family(qk_norm="full"),
    "olmoe": Family(qk_norm="full"),
    "exaone": LLAMA,
    "exaone4": Family(qk_norm="head"),
    "apertus": Family(gated=False, qk_norm="head"),
    "cohere": Family(norms=1, norm="layer", parallel=True, tied=True),
    "falcon": Family(gated=False, norms=1, norm="layer", norm_bias=True, fused_qkv=True, parallel=True, tied=True),
    "gpt2": _GPT2,
    "starcoder": _GPT2,
    "gptj": Family(gated=False, norms=1, norm="layer", norm_bias=True, parallel=True, mlp_bias=True, head_bias=True),
    "gptneox": _NEOX,
    "pythia": _NEOX,
    "bloom": Family(fused_qkv=True, embedding_norm=True, tied=True, **_ALL_BIASES),  # type: ignore[arg-type]
    "opt": Family(learned_positions=True, positions=2, tied=True, **_ALL_BIASES),  # type: ignore[arg-type]
    "mpt": Family(gated=False, norm="layer", fused_qkv=True, tied=True),
    "starcoder2": Family(tied=True, **_ALL_BIASES),  # type: ignore[arg-type]
    "stablelm": Family(norm="layer", norm_bias=True, bias_means="qkv"),
    "nemotron": Family(gated=False, norm="layer", norm_bias=True),
    "arcee": Family(gated=False),
    "dbrx": Family(norm="layer", fused_qkv=True),
    "minimax": Family(qk_norm="full", correction_bias=True),
    "seed": Family(qkv_bias=True, bias_means="qkv"),
    "internlm": Family(fused_qkv=True),
    "baichuan": Family(fused_qkv=True),
    "embedding": Family(**_ALL_BIASES),  # type: ignore[arg-type]
}


def family_of(architecture: Architecture) -> Family:
    """The traits of an architecture: those its config.json gave, else its family's, else Llama's."""
    traits = architecture.extra.get("traits")
    return traits if isinstance(traits, Family) else FAMILIES.get(architecture.family, LLAMA)
