"""What a family of architectures does differently inside a layer: norms, fused projections, gates, biases.

Enters: an `Architecture` or a model_type of a config.json. Leaves: the `Family` whose traits the activation terms and the
parameter count read. Source key of the table: tf (each family's code in transformers, run on tensors without
storage; tests/memory/README.md says how).
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from engine.catalogue import Architecture


@dataclass(frozen=True, slots=True)
class Family:
    """Traits of one layer; the default is Llama's: two RMS norms, gated MLP, separate projections without biases."""

    gated: bool = True
    pre_norms: int = 2  # norms a layer that read the residual stream and feed a projection
    post_norms: int = 0  # norms a layer that read what a branch puts out
    # rms: in fp32, scaled in the stream's dtype; wide: scaled in fp32; layer: torch's LayerNorm, which autocast runs in fp32; plain: the
    # same in the stream's dtype; centred: Cohere's own in fp32; bare: in fp32 without weights
    norm: Literal["rms", "wide", "layer", "plain", "centred", "bare"] = "rms"
    qk_norm: Literal["none", "head", "full"] = "none"
    fused_qkv: bool = False
    # what becomes of keys and values of a fused projection: views that keep it alive, copies, or copies repeated for every head
    fused_values: Literal["views", "copied", "repeated"] = "views"
    fused_mlp: bool = False
    parallel: bool = False  # attention and MLP add to the same residual
    softcap: bool = False  # on the logits
    upcasts: bool = True  # logits to fp32 for the loss; GPT-BigCode's code of 2024 left that to autocast
    eager: bool = False  # has no fused attention kernel
    sinks: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    bias_means: Literal["all", "qkv"] = "all"  # what attention_bias of a config.json switches
    mlp_bias: bool = False
    activation: Literal["smooth", "relu", "relu2", "composite"] = "smooth"  # composite: GELU's tanh form written out in five steps
    gate_steps: int = 0  # further 16-bit tensors of the MLP's width the gate's arithmetic keeps
    rotary: bool = True  # queries and keys are rotated into new tensors
    dropouts: int = 0  # active dropouts of the hidden width, per layer
    norm_bias: bool = False
    head_bias: bool = False
    embedding_norm: bool = False
    positions: int = 0  # rows of learned position embeddings beyond those of the config
    learned_positions: bool = False
    correction_bias: bool = False  # of the router
    shared_gate: bool = False  # of the shared expert
    every_expert: bool = False  # the code runs all tokens through all experts and weights them afterwards
    expert_adapters: bool = True  # PEFT's "all linear" reaches the routed experts
    output_gate: bool = False  # of attention: a query projection twice as wide
    delta_net: bool = False  # layers without a growing cache are gated delta nets
    tied: bool = False  # what a config.json that does not say means

    @property
    def norms(self) -> int:
        """Norms of the hidden width, per layer."""
        return self.pre_norms + self.post_norms


LLAMA = Family()
_QWEN2 = Family(qkv_bias=True, bias_means="qkv", shared_gate=True, expert_adapters=False)
_QWEN3 = Family(qk_norm="head")
_QWEN_NEXT = Family(qk_norm="head", norm="wide", shared_gate=True, output_gate=True, delta_net=True)
_CLASSIC = Family(gated=False, norm="layer", norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True)
_NEOX = replace(_CLASSIC, fused_qkv=True, parallel=True)
_GPT2 = replace(_CLASSIC, fused_qkv=True, learned_positions=True, rotary=False, activation="composite", dropouts=2, tied=True)
_BARE = {"qkv_bias": False, "output_bias": False, "mlp_bias": False}
_FALCON = replace(_CLASSIC, pre_norms=1, fused_qkv=True, fused_values="copied", parallel=True, tied=True, **_BARE)  # type: ignore[arg-type]
_PHI3 = Family(fused_qkv=True, fused_mlp=True)
_GEMMA3 = Family(post_norms=2, norm="wide", qk_norm="head", tied=True)
_DEEPSEEK = Family(correction_bias=True)
_OLMO2 = Family(pre_norms=0, post_norms=2, norm="wide", qk_norm="full")

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
    "gemma": Family(norm="wide", tied=True),
    "gemma2": Family(post_norms=2, norm="wide", softcap=True, tied=True),
    "gemma3": _GEMMA3,
    "gemma3n": _GEMMA3,
    "gemma4": _GEMMA3,
    "phi": replace(_CLASSIC, pre_norms=1, parallel=True, head_bias=True, activation="composite"),
    "phi3": _PHI3,
    "phi4": _PHI3,
    "phimoe": Family(norm="layer", norm_bias=True, head_bias=True),
    "deepseek-v2": LLAMA,
    "deepseek-v3": _DEEPSEEK,
    "kimi": _DEEPSEEK,
    "glm": Family(fused_mlp=True, qkv_bias=True, bias_means="qkv"),
    "glm4": Family(post_norms=2, fused_mlp=True, bias_means="qkv"),
    "glm4moe": Family(bias_means="qkv", correction_bias=True),
    "chatglm": Family(fused_qkv=True, fused_mlp=True, qkv_bias=True, bias_means="qkv"),
    "gpt-oss": Family(expert_adapters=False, gate_steps=3, eager=True, sinks=True, qkv_bias=True, output_bias=True, mlp_bias=True),
    "olmo": Family(norm="bare"),
    "olmo2": _OLMO2,
    "olmo3": _OLMO2,
    "olmoe": Family(qk_norm="full"),
    "exaone": LLAMA,
    "exaone4": Family(pre_norms=0, post_norms=2, qk_norm="head"),
    "apertus": Family(gated=False, qk_norm="head", activation="composite"),
    "cohere": Family(pre_norms=1, norm="centred", parallel=True, tied=True),
    "falcon": _FALCON,
    "falcon-new": replace(_FALCON, pre_norms=2, fused_values="repeated"),
    "gpt2": _GPT2,
    "starcoder": replace(_GPT2, upcasts=False),
    "gptj": replace(_CLASSIC, pre_norms=1, parallel=True, qkv_bias=False, output_bias=False, head_bias=True, activation="composite"),
    "gptneox": _NEOX,
    "pythia": _NEOX,
    "stablelm-alpha": _NEOX,
    "gptneox-sequential": replace(_NEOX, parallel=False),
    "bloom": replace(_CLASSIC, fused_qkv=True, embedding_norm=True, rotary=False, tied=True),
    "opt": replace(_CLASSIC, learned_positions=True, positions=2, rotary=False, activation="relu", dropouts=2, tied=True),
    "mpt": Family(gated=False, norm="layer", fused_qkv=True, rotary=False, tied=True),
    "starcoder2": replace(_CLASSIC, tied=True),
    "llama4": Family(every_expert=True, expert_adapters=False),
    "granite": Family(expert_adapters=False),
    "stablelm": Family(norm="layer", norm_bias=True, bias_means="qkv"),
    "nemotron": Family(gated=False, norm="plain", norm_bias=True, activation="relu2"),
    "nemotron-h": Family(gated=False, pre_norms=1, activation="relu2", correction_bias=True),
    "arcee": Family(gated=False, activation="relu2"),
    "dbrx": Family(norm="layer", fused_qkv=True),
    "minimax": Family(qk_norm="full", correction_bias=True),
    "seed": Family(dropouts=2, qkv_bias=True, bias_means="qkv"),
    "internlm": Family(fused_qkv=True),
    "baichuan": Family(fused_qkv=True),
    "lfm2": Family(qk_norm="head", tied=True),
    "gptneo": replace(_CLASSIC, learned_positions=True, rotary=False, qkv_bias=False, activation="composite", dropouts=2, tied=True),
    "persimmon": replace(_CLASSIC, fused_qkv=True, qk_norm="head", activation="relu2"),
    "embedding": replace(_CLASSIC, learned_positions=True, embedding_norm=True, rotary=False, dropouts=2, tied=True),
    "modernbert": Family(fused_qkv=True, fused_mlp=True, norm="layer", embedding_norm=True, tied=True),
}

# Models whose family name in the catalogue covers several code paths: the beginning of their id -> family.
_BY_ID: tuple[tuple[str, str], ...] = (
    ("nemotron-3-", "nemotron-h"),
    ("nemotron-nano", "nemotron-h"),
    ("nemotron-super", "llama3"),
    ("falcon-40b", "falcon-new"),
    ("falcon-180b", "falcon-new"),
    ("falcon-11b", "falcon-new"),
    ("qwen3-next", "qwen3-next"),
    ("qwen3-coder-next", "qwen3-next"),
    ("phi-3.5-moe", "phimoe"),
    ("chatglm-6b", "bloom"),
    ("chatglm", "chatglm"),
    ("glm-4-9b-0414", "glm4"),
    ("glm-4-32b", "glm4"),
    ("glm-4-", "glm"),
    ("glm-4.5", "glm4moe"),
    ("glm-4.6", "glm4moe"),
    ("glm-4.1v", "glm4"),
    ("glm-edge", "llama3"),
    ("glm-", "deepseek-v3"),
    ("exaone-4", "exaone4"),
    ("olmoe", "olmoe"),
    ("apertus", "apertus"),
    ("mistral-large-3", "deepseek-v2"),
    ("mistral-small-4", "deepseek-v2"),
    ("qwen3-embedding", "qwen3"),
    ("qwen-1-", "qwen"),
    ("qwen2-audio", "qwen2"),
    ("qwen2.5-omni", "qwen2.5"),
    ("qwen3-omni", "qwen3"),
    ("embeddinggemma", "gemma3"),
    ("e5-mistral", "llama3"),
    ("command-r-plus", "cohere"),
    ("stablelm-base-alpha", "gptneox"),
    ("stablecode-alpha", "gptneox"),
    ("polyglot-ko", "gptneox"),
    ("redpajama", "gptneox-sequential"),
    ("fuyu", "persimmon"),
    ("gpt-neo-", "gptneo"),
    ("cerebras-gpt", "gpt2"),
    ("gpt-sw3", "gpt2"),
    ("open-calm", "gptneox-sequential"),
    ("luciole", "nemotron"),
    ("k-exaone", "exaone4"),
    ("falcon-rw", "falcon"),
    ("poro-", "bloom"),
    ("pharia", "starcoder2"),
    ("orion", "stablelm"),
    ("moondream", "phi"),
    ("phi-mini-moe", "phimoe"),
    ("phi-tiny-moe", "phimoe"),
    ("solar-pro", "phi3"),
    ("paligemma2", "gemma2"),
    ("paligemma", "gemma"),
    ("bueble", "gemma2"),
    ("fanar", "gemma2"),
    ("rnj", "gemma3"),
    ("internvl2-1b", "qwen2"),
    ("internvl2-", "internlm"),
    ("internvl3-", "qwen2"),
    ("internvl3.5-", "qwen3"),
    ("llava-onevision", "qwen2"),
    ("minicpm-v-2.6", "qwen2"),
    ("minicpm-v-4.5", "qwen3"),
    ("minicpm-v-4.6", "qwen3.5"),
    ("sarvam-30b", "qwen3"),
    ("dots.llm1", "qwen3"),
    ("instella", "olmoe"),
    ("molmo2", "qwen3"),
    ("molmo-", "qwen2"),
    ("sailor2", "qwen2"),
    ("a.x-4.0", "qwen2"),
    ("hunyuan", "qwen3"),
    ("hy3", "qwen3"),
    ("ling-lite", "llama3"),
    ("ling-", "qwen3"),
    ("mellum2", "qwen3"),
    ("laguna", "qwen3"),
    ("step-3", "qwen3"),
    ("trinity", "qwen3"),
    ("nemotron-h-", "nemotron-h"),
)


@cache
def _named_family(name: str, family: str) -> Family:
    """The traits of a catalogue family, with the exceptions by id."""
    return FAMILIES.get(next((other for start, other in _BY_ID if name.startswith(start)), family), LLAMA)


def family_of(architecture: Architecture) -> Family:
    """The traits of an architecture: those its config.json gave, else its family's, else Llama's."""
    traits = architecture.extra.get("traits")
    return traits if isinstance(traits, Family) else _named_family(architecture.id, architecture.family)
