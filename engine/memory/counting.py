"""Parameter counts from a `Blueprint`: matrix by matrix, biases and norms included. Source key: tf."""

from collections.abc import Mapping
from typing import Any

from engine.memory.blueprint import Blueprint
from engine.memory.towers import tower_parameters


def latent_attention_parameters(plan: Blueprint) -> int:
    """Multi-head latent attention: down- and up-projections of query and key-value, output."""
    one = plan.latent
    assert one is not None  # noqa: S101 - callers branch on it
    h, heads = plan.hidden, plan.heads
    query = h * one.q_lora + one.q_lora + one.q_lora * heads * (one.nope + one.rope) if one.q_lora else h * heads * (one.nope + one.rope)
    key_value = h * (one.kv_lora + one.rope) + one.kv_lora + one.kv_lora * heads * (one.nope + one.v)
    return query + key_value + heads * one.v * h + plan.indexer


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
    inner = (2 if traits.gated else 1) + 1
    expert = inner * one.latent * one.width if one.latent else mlp_parameters(plan, one.width)
    return experts * expert + router + shared + 2 * h * one.latent


def norm_parameters(plan: Blueprint) -> int:
    """One norm of the hidden width."""
    return 0 if plan.traits.norm == "bare" else plan.hidden * (2 if plan.traits.norm_bias else 1)


def embedding_parameters(plan: Blueprint) -> int:
    """Input embedding, head where it is not tied, positions, their norm."""
    h, traits = plan.hidden, plan.traits
    matrices = plan.vocab * h * (1 if plan.tied else 2) + (plan.vocab if traits.head_bias else 0)
    return matrices + plan.positions * h + (norm_parameters(plan) if traits.embedding_norm else 0)


def global_attention_parameters(plan: Blueprint) -> int:
    """What the wider heads of global layers need beyond the windowed ones, over all of them (Gemma 4)."""
    if plan.wide is None:
        return 0
    one, h = plan.wide, plan.hidden
    norms = (2 * one.q // plan.heads - 2 * plan.head_dim) if plan.traits.qk_norm == "head" else 0
    each = 2 * h * one.q + (1 if one.shared else 2) * h * one.k - (2 * h * plan.q + 2 * h * plan.k)
    return one.layers * (each + norms)


def _layers_parameters(plan: Blueprint, experts: int) -> int:
    moe, recurrent = plan.mixture, plan.recurrent.layers if plan.recurrent else 0
    if plan.sublayers is not None:
        attention, dense, mixtures = plan.sublayers.attention, plan.sublayers.mlp, plan.sublayers.mixture
    else:
        attention, dense = plan.layers - recurrent, plan.layers if moe is None else moe.dense_layers
        mixtures = plan.layers - dense
    count = attention * attention_parameters(plan) + global_attention_parameters(plan) + dense * mlp_parameters(plan, plan.ffn)
    count += recurrent * plan.recurrent.parameters if plan.recurrent else 0
    count += mixtures * mixture_parameters(plan, experts) if moe is not None else 0
    return count + (plan.layers * plan.traits.norms + 1) * norm_parameters(plan)


def parameter_count(plan: Blueprint, towers: Mapping[str, Any]) -> int:
    """All weights that load, towers for pictures and sound included."""
    experts = plan.mixture.experts if plan.mixture else 0
    return embedding_parameters(plan) + _layers_parameters(plan, experts) + plan.extra + tower_parameters(towers, plan.hidden)


def active_parameter_count(plan: Blueprint) -> int:
    """The weights one text token passes through, embeddings included."""
    experts = plan.mixture.top_k if plan.mixture else 0
    return embedding_parameters(plan) + _layers_parameters(plan, experts) + plan.extra
