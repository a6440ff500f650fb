"""Parameters of a vision tower from its part of a config.json: close, not exact; towers are 0.2 to 5 % of the models that have one."""

from collections.abc import Mapping
from typing import Any

_GATED = ("gemma4_vision", "qwen2_5_vl", "pixtral")


def _width(vision: Mapping[str, Any], *names: str) -> int:
    return next((int(vision[name]) for name in names if isinstance(vision.get(name), int) and not isinstance(vision[name], bool)), 0)


def vision_parameters(vision: Mapping[str, Any] | None, hidden: int) -> int:
    """A vision transformer: layers, patches, positions, and the projection of merged patches into the text width."""
    if not vision:
        return 0
    h = _width(vision, "hidden_size", "embed_dim", "width", "vt_hidden_size")
    layers = _width(vision, "num_hidden_layers", "depth", "layers", "vt_num_hidden_layers")
    ratio = vision.get("mlp_ratio")
    ffn = _width(vision, "intermediate_size", "vt_intermediate_size") or int(h * (ratio if isinstance(ratio, int | float) else 4))
    patch, frames = _width(vision, "patch_size") or 14, _width(vision, "temporal_patch_size") or 1
    layer = 4 * h * h + (3 if vision.get("model_type") in _GATED else 2) * h * ffn + 9 * h + ffn
    positions = _width(vision, "num_position_embeddings", "position_embedding_size") * h
    return layers * layer + 3 * frames * patch * patch * h + positions + _projection(vision, h, hidden)


def _projection(vision: Mapping[str, Any], h: int, hidden: int) -> int:
    """One or several mergers of neighbouring patches (Qwen), else one matrix."""
    merge = _width(vision, "spatial_merge_size")
    if not merge:
        return h * hidden
    merged, out = h * merge * merge, _width(vision, "out_hidden_size") or hidden
    deep = vision.get("deepstack_visual_indexes")
    return (1 + (len(deep) if isinstance(deep, list) else 0)) * (merged * merged + merged * out + merged + out)
