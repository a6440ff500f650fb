"""Layers of a config.json that are no full attention: sliding windows, and recurrent layers with a constant state."""

from engine.memory.blueprint import Blueprint, Recurrent
from engine.memory.config_fields import Fields

_LINEAR = ("linear_attention", "mamba", "mamba2", "conv")


def _kinds(fields: Fields) -> list[str]:
    kinds = fields.all.get("layer_types") or fields.all.get("layers_block_type")
    return [str(kind) for kind in kinds] if isinstance(kinds, list) else []


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
    kinds = _kinds(fields)
    count = sum(kind in _LINEAR for kind in kinds)
    interval = fields.number("full_attention_interval")
    if not kinds and interval and fields.number("linear_num_value_heads"):
        count = plan.layers - plan.layers // interval
    if not count:
        return None
    return Recurrent(count, _delta_net(fields, plan) if fields.number("linear_num_value_heads") else _mamba(fields, plan))


def _delta_net(fields: Fields, plan: Blueprint) -> int:
    """h(2K + 2W + 2n) + 4(2K + W) + 2n + d + Wh: projections, convolution, decay, norm, output."""
    keys = (fields.number("linear_num_key_heads") or 0) * (fields.number("linear_key_head_dim") or 0)
    heads, width = fields.number("linear_num_value_heads") or 0, fields.number("linear_value_head_dim") or 0
    values, kernel = heads * width, fields.number("linear_conv_kernel_dim") or 4
    return plan.hidden * (2 * keys + 2 * values + 2 * heads) + kernel * (2 * keys + values) + 2 * heads + width + values * plan.hidden


def _mamba(fields: Fields, plan: Blueprint) -> int:
    """h(2D + 2GS + H) + 5(D + 2GS) + 3H + D + Dh: projection, convolution with bias, decay, norm, output."""
    heads, width = fields.number("mamba_n_heads") or 0, fields.number("mamba_d_head") or 0
    inner = heads * width or plan.hidden * (fields.number("mamba_expand") or 2)
    state = 2 * (fields.number("mamba_n_groups") or 1) * (fields.number("mamba_d_state") or 128)
    kernel = fields.number("mamba_d_conv") or 4
    return plan.hidden * (2 * inner + state + heads) + (kernel + 1) * (inner + state) + 3 * heads + inner + inner * plan.hidden
