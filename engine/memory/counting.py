"""Parameter counts from a `Blueprint`: matrix by matrix, biases and norms included. Source key: huggingface-configs."""

from collections.abc import Mapping
from typing import Any

from engine.memory.blueprint import Blueprint


def latent_attention_parameters(plan: Blueprint) -> int:
    """Multi-head latent attention: down- and up-projections of query and key-value, output."""
    one = plan.latent
    assert one is not None  # noqa: S101 - callers branch on it
    h, heads = plan.hidden, plan.heads
    query = h * one.q_lora + one.q_lora + one.q_lora * heads * (one.nope + one.rope) if one.q_lora else h * heads * (one.nope + one.rope)
    key_value = h * (one.kv_lora + one.rope) + one.kv_lora + one.kv_lora * heads * (one.nope + one.v)
    return query + key_value + heads * one.v * h


def attention_parameters(plan: Blueprint) -> int:
    """One attention: q, k, v, o, their biases, norms on queries and keys, sinks."""
    if plan.latent is not None:
        return latent_attention_parameters(plan)
    h, q, k, traits = plan.hidden, plan.q, plan.k, plan.traits
    count = h * q * (2 if traits.output_gate else 1) + 2 * h * k + q * h
    count += (q + 2 * k if traits.qkv_bias else 0) + (h if traits.output_bias else 0) + (plan.heads if traits.sinks else 0)
    return count + {"none": 0, "head": 2 * plan.head_dim, "full": q + k}[traits.qk_norm]


def mlp_parameters(plan: Blueprint, width: int) -> int:
    """A dense MLP of a width: three matrices gated, two otherwise, biases where the family has them."""
    inner = 2 if plan.traits.gated else 1
    return (inner + 1) * plan.hidden * width + (inner * width + plan.hidden if plan.traits.mlp_bias else 0)


def mixture_parameters(plan: Blueprint, experts: int) -> int:
    """`experts` routed experts, router, shared expert."""
    one, h, traits = plan.mixture, plan.hidden, plan.traits
    assert one is not None  # noqa: S101 - callers branch on it
    router = one.experts * (h + (traits.mlp_bias or traits.correction_bias))
    shared = mlp_parameters(plan, one.shared_width) + h * traits.shared_gate if one.shared_width else 0
    return experts * mlp_parameters(plan, one.width) + router + shared


def norm_parameters(plan: Blueprint) -> int:
    """One norm of the hidden width."""
    return 0 if plan.traits.norm == "bare" else plan.hidden * (2 if plan.traits.norm_bias else 1)


def embedding_parameters(plan: Blueprint) -> int:
    """Input embedding, head where it is not tied, positions, their norm."""
    h, traits = plan.hidden, plan.traits
    matrices = plan.vocab * h * (1 if plan.tied else 2) + (plan.vocab if traits.head_bias else 0)
    return matrices + plan.positions * h + (norm_parameters(plan) if traits.embedding_norm else 0)


def vision_parameters(vision: Mapping[str, Any] | None, hidden: int) -> int:
    """A vision transformer by its config: attention, MLP, norms, patches, and a projection into the text width."""
    if not vision:
        return 0

    def width(*names: str) -> int:
        return next((int(vision[name]) for name in names if isinstance(vision.get(name), int)), 0)

    h, layers = width("hidden_size", "embed_dim", "width"), width("num_hidden_layers", "depth", "layers")
    ffn = width("intermediate_size") or int(h * float(vision.get("mlp_ratio") or 4))
    patch = width("patch_size") or 14
    layer = 4 * h * h + 2 * h * ffn + 9 * h + ffn
    return layers * layer + 3 * patch * patch * h + h * hidden


def _layers_parameters(plan: Blueprint, experts: int) -> int:
    moe = plan.mixture
    dense = plan.layers if moe is None else moe.dense_layers
    recurrent = plan.recurrent.layers if plan.recurrent else 0
    mixers = (plan.layers - recurrent) * attention_parameters(plan) + (recurrent * plan.recurrent.parameters if plan.recurrent else 0)
    mlps = dense * mlp_parameters(plan, plan.ffn)
    mlps += (plan.layers - dense) * mixture_parameters(plan, experts) if moe is not None else 0
    return mixers + mlps + (plan.layers * plan.traits.norms + 1) * norm_parameters(plan)


def parameter_count(plan: Blueprint, vision: Mapping[str, Any] | None = None) -> int:
    """All weights that load, a vision tower included."""
    experts = plan.mixture.experts if plan.mixture else 0
    return embedding_parameters(plan) + _layers_parameters(plan, experts) + plan.extra + vision_parameters(vision, plan.hidden)


def active_parameter_count(plan: Blueprint, vision: Mapping[str, Any] | None = None) -> int:
    """The weights one token passes through, embeddings included."""
    experts = plan.mixture.top_k if plan.mixture else 0
    return embedding_parameters(plan) + _layers_parameters(plan, experts) + plan.extra + vision_parameters(vision, plan.hidden)
