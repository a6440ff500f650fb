"""Layers of a config.json that are no plain attention with an MLP: windows, recurrent layers, sublayers of their own, wider heads."""

from collections.abc import Mapping
from typing import Any

from engine.memory.blueprint import Blueprint, Recurrent, Sublayers, Wide
from engine.memory.config_fields import Fields, ratio_of, whole

_LINEAR = ("linear_attention", "mamba", "mamba2", "conv")
_LETTERS = {"M": "mamba", "E": "moe", "*": "attention", "-": "mlp"}


def _kinds(fields: Fields) -> list[str]:
    kinds = fields.all.get("layer_types") or fields.all.get("layers_block_type")
    pattern = fields.all.get("hybrid_override_pattern")
    if isinstance(pattern, str):
        return [_LETTERS.get(letter, "attention") for letter in pattern if letter != "|"]
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else []


def layer_count(fields: Fields) -> int | None:
    """Layers as their list says, where a config names only that."""
    return len(_kinds(fields)) or None


def sublayers_of(fields: Fields) -> Sublayers | None:
    """Counts of attention, MLP and mixture where each layer is only one of them (Nemotron-H); None otherwise."""
    kinds = _kinds(fields)
    if not any(kind in ("moe", "mlp") for kind in kinds):
        return None
    of = {"attention": ("attention", "full_attention"), "mlp": ("mlp",), "moe": ("moe",)}
    return Sublayers(*(sum(kind in names for kind in kinds) for names in of.values()))


def wide_of(fields: Fields, heads: int, kv_heads: int) -> Wide | None:
    """Global layers with heads of their own width (Gemma 4)."""
    width = fields.number("global_head_dim") or _own_width(fields)
    layers = sum(kind == "full_attention" for kind in _kinds(fields))
    if not width or not layers:
        return None
    return Wide(
        layers, heads * width, (fields.number("num_global_key_value_heads") or kv_heads) * width, fields.flag("attention_k_eq_v", False)
    )


def _own_width(fields: Fields) -> int:
    """The width of heads where single layers have one of their own, else 0."""
    own = fields.all.get("per_layer_config")
    widths = [_part(own, str(layer)).get("head_dim") for layer in own] if isinstance(own, Mapping) else []
    return whole(widths[0], "head_dim") if widths and isinstance(widths[0], int) and len(set(map(str, widths))) == 1 else 0


def searched_blocks(fields: Fields, hidden: int, heads: int, head_dim: int) -> int | None:
    """Parameters of all layers where each has its own shape or none (Nemotron's searched models), norms included."""
    blocks = fields.all.get("block_configs")
    if not isinstance(blocks, list):
        return None
    total = 0
    for block in blocks:
        attention, ffn = _part(block, "attention"), _part(block, "ffn")
        group = attention.get("n_heads_in_group")
        if isinstance(group, int) and group > 0 and not attention.get("no_op"):
            total += 2 * hidden * head_dim * (heads + heads // whole(group, "n_heads_in_group")) + hidden
        if ffn.get("ffn_mult") is not None and not ffn.get("no_op"):
            multiple = ratio_of(ffn["ffn_mult"], "ffn_mult")
            total += 3 * hidden * (-(-int(2 * multiple * hidden / 3) // 256) * 256) + hidden
    return total


def _part(block: Any, name: str) -> Mapping[str, Any]:
    part = block.get(name) if isinstance(block, Mapping) else None
    return part if isinstance(part, Mapping) else {}


def windows_of(fields: Fields, layers: int) -> tuple[int | None, int]:
    """(window, layers that keep only it) [token, layers]."""
    window = fields.number("sliding_window") or fields.number("attention_chunk_size")
    if not window or fields.all.get("use_sliding_window") is False:
        return None, 0
    kinds = _kinds(fields)
    if kinds:
        return window, sum(kind in ("sliding_attention", "chunked_attention") for kind in kinds)
    pattern = fields.number("sliding_window_pattern")
    if pattern and pattern > 1:
        return window, layers - layers // pattern
    return window, {"gemma2": (layers + 1) // 2, "gpt_oss": (layers + 1) // 2, "cohere2": layers - layers // 4}.get(
        str(fields.all.get("model_type")), layers
    )


def recurrent_of(fields: Fields, plan: Blueprint) -> Recurrent | None:
    """Gated delta net (Qwen3-Next, Qwen3.5) or Mamba-2 layers and their size; None without."""
    delta = fields.all.get("linear_attn_config")
    if isinstance(delta, Mapping):
        return _kimi_delta(delta, plan)
    kinds = _kinds(fields)
    count = sum(kind in _LINEAR for kind in kinds)
    interval = fields.number("full_attention_interval")
    if not kinds and interval and fields.number("linear_num_value_heads"):
        count = plan.layers - plan.layers // interval
    if not count:
        return None
    if fields.number("conv_L_cache"):
        return Recurrent(count, _short_convolution(fields, plan))
    return Recurrent(count, _delta_net(fields, plan) if fields.number("linear_num_value_heads") else _mamba(fields, plan))


def _short_convolution(fields: Fields, plan: Blueprint) -> int:
    """4hh + hc: projections of two gates and the input, their output, a convolution over c tokens (LFM2)."""
    return 4 * plan.hidden * plan.hidden + plan.hidden * (fields.number("conv_L_cache") or 0)


def per_layer_inputs_of(fields: Fields, hidden: int, layers: int) -> int:
    """Parameters of embeddings every layer has of its own (Gemma 3n and 4): table, projection, its norm; gate, projection, norm a layer."""
    width = fields.number("hidden_size_per_layer_input")
    if not width:
        return 0
    rows = fields.number("vocab_size_per_layer_input") or 0
    return rows * layers * width + hidden * layers * width + width + layers * (2 * hidden * width + hidden)


def alternating_of(fields: Fields, hidden: int, layers: int) -> int:
    """Parameters of several residual streams side by side and their low-rank bypass (Gemma 3n's AltUp and LAuReL)."""
    streams, rank = fields.number("altup_num_inputs") or 0, fields.number("laurel_rank") or 0
    if not streams:
        return 0
    each = streams**2 + streams**3 + hidden * streams + 2 * hidden + 2 * hidden * rank + hidden
    return 2 * (streams - 1) * hidden * hidden + layers * each


def _delta_net(fields: Fields, plan: Blueprint) -> int:
    """h(2K + 2W + 2n) + 4(2K + W) + 2n + d + Wh: projections, convolution, decay, norm, output."""
    keys = (fields.number("linear_num_key_heads") or 0) * (fields.number("linear_key_head_dim") or 0)
    heads, width = fields.number("linear_num_value_heads") or 0, fields.number("linear_value_head_dim") or 0
    values, kernel = heads * width, fields.number("linear_conv_kernel_dim") or 4
    return plan.hidden * (2 * keys + 2 * values + 2 * heads) + kernel * (2 * keys + values) + 2 * heads + width + values * plan.hidden


def _mamba(fields: Fields, plan: Blueprint) -> int:
    """h(2D + 2GS + H) + 5(D + 2GS) + 3H + D + Dh: projection, convolution with bias, decay, norm, output."""
    heads = fields.number("mamba_n_heads") or fields.number("mamba_num_heads") or 0
    width = fields.number("mamba_d_head") or fields.number("mamba_head_dim") or 0
    inner = heads * width or plan.hidden * (fields.number("mamba_expand") or 2)
    groups = fields.number("mamba_n_groups") or fields.number("n_groups") or 1
    state = 2 * groups * (fields.number("mamba_d_state") or fields.number("ssm_state_size") or 128)
    kernel = fields.number("mamba_d_conv") or fields.number("conv_kernel") or 4
    return plan.hidden * (2 * inner + state + heads) + (kernel + 1) * (inner + state) + 3 * heads + inner + inner * plan.hidden


def _kimi_delta(delta: Mapping[str, Any], plan: Blueprint) -> Recurrent | None:
    """4hK + 2(hd + dK) + hn + 3cK + 2K + n + d: projections, gates, convolutions, decay, norm (Kimi)."""
    layers = delta.get("kda_layers")
    if not isinstance(layers, list) or delta.get("num_heads") is None or delta.get("head_dim") is None:
        return None
    heads, width = (whole(delta[name], name) for name in ("num_heads", "head_dim"))
    keys, h = heads * width, plan.hidden
    convolution = 3 * keys * whole(delta.get("short_conv_kernel_size") or 4, "short_conv_kernel_size")
    return Recurrent(len(layers), 4 * h * keys + 2 * (h + keys) * width + h * heads + convolution + keys + heads + width)
