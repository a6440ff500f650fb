"""A Hugging Face config.json in, an `Architecture` with the exact shape and parameter count out.

A model_type nobody here knows is counted like Llama and marked `estimated`. Errors: `Refusal` config_incomplete where a width is
missing, config_unusable where a value cannot be a width, config_two_stacks for an encoder with a decoder.
Source key of the field names and defaults: tf.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalogue import Architecture
from engine.errors import Refusal
from engine.memory.blueprint import Blueprint, Latent, Mixture, Sublayers
from engine.memory.config_fields import Fields, ratio_of
from engine.memory.config_layers import (
    alternating_of,
    layer_count,
    per_layer_inputs_of,
    recurrent_of,
    searched_blocks,
    sublayers_of,
    wide_of,
    windows_of,
)
from engine.memory.counting import active_parameter_count, parameter_count
from engine.memory.families import FAMILIES, LLAMA, Family
from engine.memory.model_types import MODEL_TYPES

_ENCODERS = ("embedding", "modernbert")  # one matrix of embeddings, no head over the vocabulary, no cache
_LARGEST = 100_000e9  # parameters: the contract's limit on the size of a model


def architecture_from_config(config: Mapping[str, Any]) -> Architecture:
    """Read any family's config.json; the count is exact for decoder text models. Errors: Refusal."""
    fields = Fields(config)
    model_type = str(fields.all.get("model_type") or config.get("model_type") or "llama").lower()[:60]
    if config.get("is_encoder_decoder") is True:
        raise Refusal("config_two_stacks", "models.config", model_type)
    family = MODEL_TYPES.get(model_type, "unknown")
    plan = blueprint_of(fields, model_type, _traits(FAMILIES.get(family, LLAMA), fields))
    encoder = family in _ENCODERS
    plan = replace(plan, tied=True) if encoder else plan
    total = parameter_count(plan, fields.towers)
    if not 0 < total <= _LARGEST:
        raise Refusal("config_unusable", "models.config", f"{total:.3g}", {"key": "num_hidden_layers"})
    name = str(config.get("_name_or_path") or config.get("name_or_path") or model_type)[:200]
    moe, latent = plan.mixture, plan.latent
    return Architecture(
        id=f"config-{model_type}",
        name=name.rstrip("/").rsplit("/", 1)[-1] or model_type,
        family="embedding" if encoder else family,
        hf_id=name if name.count("/") == 1 and not name.startswith(("/", ".")) else None,
        parameters=float(total),
        active_parameters=float(active_parameter_count(plan)),
        hidden=plan.hidden,
        layers=plan.layers,
        heads=plan.heads,
        kv_heads=plan.kv_heads,
        head_dim=latent.nope + latent.rope if latent else plan.head_dim,
        ffn=plan.ffn,
        moe_ffn=moe.width if moe else None,
        n_experts=moe.experts if moe else None,
        top_k=moe.top_k if moe else None,
        shared_experts=(moe.shared_width + moe.width - 1) // moe.width if moe else None,
        dense_layers=moe.dense_layers if moe else None,
        vocab=plan.vocab,
        tied_embeddings=plan.tied,
        attention=_attention(plan),
        context=fields.number("context"),
        kv_layers=0 if encoder else plan.layers - (plan.recurrent.layers if plan.recurrent else 0),
        window_layers=plan.window_layers or None,
        window=plan.window if plan.window_layers else None,
        native_dtype=_dtype(fields),
        source="config.json",
        estimated=family == "unknown",
        extra=_extra(plan, model_type),
    )


def _extra(plan: Blueprint, model_type: str) -> dict[str, Any]:
    """What has no field of its own, named as in the catalogue."""
    extra: dict[str, Any] = {"model_type": model_type, "traits": plan.traits}
    if plan.mixture is not None and plan.mixture.shared_width:
        extra["shared_ffn"] = plan.mixture.shared_width
    if plan.latent is not None:
        extra |= {name: getattr(plan.latent, name) for name in ("kv_lora", "q_lora", "rope", "nope", "v")}
    return extra


def _traits(family: Family, fields: Fields) -> Family:
    """The family's traits where the config switches them."""
    switched: dict[str, Any] = {}
    bias = next((fields.all[key] for key in ("attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias") if key in fields.all), None)
    if isinstance(bias, bool):
        switched["qkv_bias"] = bias
        if family.bias_means == "all":
            switched["output_bias"] = bias
    if isinstance(fields.all.get("attention_out_bias"), bool):
        switched["output_bias"] = fields.all["attention_out_bias"]
    if isinstance(fields.all.get("mlp_bias"), bool):
        switched["mlp_bias"] = fields.all["mlp_bias"]
    if fields.all.get("use_qk_norm") is not None or fields.all.get("qk_layernorm") is not None:
        wanted = bool(fields.all.get("use_qk_norm", fields.all.get("qk_layernorm")))
        switched["qk_norm"] = (family.qk_norm if family.qk_norm != "none" else "head") if wanted else "none"
    if isinstance(fields.all.get("lm_head_bias"), bool):
        switched["head_bias"] = fields.all["lm_head_bias"]
    if fields.all.get("parallel_attn") is False or fields.all.get("use_parallel_residual") is False:
        switched.update(parallel=False, pre_norms=2)
    if fields.all.get("new_decoder_architecture"):
        switched["fused_values"] = "repeated"
        switched["pre_norms"] = 2 if fields.all.get("num_ln_in_parallel_attn") in (None, 2) else 1
    return replace(family, **switched)


def blueprint_of(fields: Fields, model_type: str, traits: Family) -> Blueprint:
    """All widths of a config. Errors: Refusal."""
    hidden, heads = fields.needed("hidden"), fields.needed("heads")
    latent = _latent(fields)
    mixture = _mixture(fields, model_type)
    ffn = _ffn(fields, model_type, hidden, mixture)
    layers = fields.number("layers") or layer_count(fields) or fields.needed("layers")
    window, window_layers = windows_of(fields, layers)
    kv_heads = _kv_heads(fields, model_type, heads)
    if kv_heads > heads:
        raise Refusal("config_unusable", "models.config", str(kv_heads), {"key": "num_key_value_heads"})
    plan = Blueprint(
        hidden=hidden,
        layers=layers,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=fields.number("head_dim") or max(1, hidden // heads),
        ffn=ffn,
        vocab=fields.needed("vocab"),
        tied=fields.flag("tie_word_embeddings", traits.tied),
        traits=traits,
        positions=(fields.number("context") or 0) + traits.positions if traits.learned_positions else 0,
        mixture=mixture,
        latent=latent,
        window=window,
        window_layers=window_layers,
        sublayers=sublayers_of(fields),
        wide=wide_of(fields, heads, kv_heads),
        indexer=_indexer(fields, hidden),
        extra=per_layer_inputs_of(fields, hidden, layers) + alternating_of(fields, hidden, layers),
    )
    plan = replace(plan, recurrent=recurrent_of(fields, plan))
    blocks = searched_blocks(fields, hidden, heads, plan.head_dim)
    return plan if blocks is None else replace(plan, extra=blocks, sublayers=Sublayers(0, 0, 0), traits=replace(traits, pre_norms=0))


def _indexer(fields: Fields, hidden: int) -> int:
    """The indexer of a sparse latent attention: queries from the latent, one key with its norm, weights of the heads."""
    heads, width = fields.number("index_n_heads") or 0, fields.number("index_head_dim") or 0
    return (fields.number("q_lora_rank") or 0) * heads * width + hidden * width + 2 * width + hidden * heads


def _kv_heads(fields: Fields, model_type: str, heads: int) -> int:
    if fields.all.get("multi_query_attention") is True:
        return fields.number("multi_query_group_num") or 1
    if model_type in ("falcon", "refinedwebmodel", "refinedweb") and not fields.all.get("new_decoder_architecture"):
        return 1 if fields.flag("multi_query", True) else heads
    if fields.all.get("multi_query") is True and not fields.all.get("new_decoder_architecture"):
        return 1
    return fields.number("kv_heads") or fields.number("kv_n_heads") or heads


def _ffn(fields: Fields, model_type: str, hidden: int, mixture: Mixture | None) -> int:
    if model_type == "llama4_text" and fields.number("intermediate_size_mlp"):
        return fields.number("intermediate_size_mlp") or 0
    ratio = fields.all.get("expansion_ratio")
    wider = int(hidden * ratio_of(ratio, "expansion_ratio")) if isinstance(ratio, int | float) else 0
    width = fields.number("ffn") or wider or (mixture.width if mixture else 4 * hidden)
    if fields.flag("block_auto_adjust_ff_dim", False):  # LFM2: two thirds, in whole blocks
        block = fields.number("block_multiple_of") or 1
        return -(-(2 * width // 3) // block) * block
    return width // 2 if model_type == "qwen" else width


def _latent(fields: Fields) -> Latent | None:
    kv_lora = fields.number("kv_lora_rank")
    if not kv_lora:
        return None
    widths = {name: fields.number(name) or 0 for name in ("q_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim")}
    return Latent(kv_lora, widths["q_lora_rank"], widths["qk_rope_head_dim"], widths["qk_nope_head_dim"], widths["v_head_dim"])


def _mixture(fields: Fields, model_type: str) -> Mixture | None:
    experts = fields.number("experts") or 0
    if experts <= 1:
        return None
    width = fields.number("moe_ffn") or fields.needed("ffn")
    if model_type == "llama4_text":
        width = fields.needed("ffn")
    shared = fields.number("shared_ffn") or (fields.number("n_shared_experts") or fields.number("num_shared_experts") or 0) * width
    if model_type.startswith("llama4"):
        shared = width
    if fields.all.get("enable_moe_block") is True:  # Gemma 4: a dense MLP beside the experts
        shared = fields.needed("ffn")
    latent = fields.number("moe_latent_size") or fields.number("routed_expert_hidden_size") or 0
    return Mixture(experts, min(fields.number("top_k") or 1, experts), width, shared, _dense_layers(fields), latent)


def _dense_layers(fields: Fields) -> int:
    """Layers of a mixture that have a plain MLP."""
    layers = fields.number("layers") or layer_count(fields) or fields.needed("layers")
    if isinstance(fields.all.get("mlp_only_layers"), list) and fields.all["mlp_only_layers"]:
        return min(layers, len(fields.all["mlp_only_layers"]))
    kinds = fields.all.get("mlp_layer_types")
    if isinstance(kinds, list) and len(kinds) == layers:
        return sum(kind == "dense" for kind in kinds)
    step = fields.number("interleave_moe_layer_step") or fields.number("decoder_sparse_step") or fields.number("moe_layer_freq") or 1
    first = min(layers, fields.number("first_k_dense_replace") or 0)
    return first if step <= 1 else layers - layers // step


def _attention(plan: Blueprint) -> str:
    if plan.latent:
        one = plan.latent
        query = f"q_lora {one.q_lora}" if one.q_lora else "no q_lora"
        return f"mla kv_lora {one.kv_lora} rope {one.rope} nope {one.nope} v {one.v} {query}"
    if plan.kv_heads == plan.heads:
        return "mha"
    return "mqa" if plan.kv_heads == 1 else "gqa"


def _dtype(fields: Fields) -> str:
    named = str(fields.all.get("torch_dtype") or fields.all.get("dtype") or "bfloat16")
    return {"float32": "fp32", "float16": "fp16"}.get(named, "bf16")
