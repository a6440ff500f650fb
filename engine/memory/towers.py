"""Parameters of a vision or audio tower from its part of a config.json: close, not exact; most are 0.2 to 15 % of their model."""

from collections.abc import Mapping
from typing import Any

from engine.memory.config_fields import ratio_of, whole

_GATED = ("gemma4_vision", "qwen2_5_vl", "pixtral")


def _width(part: Mapping[str, Any], *names: str) -> int:
    """The first of the names that holds a whole number, else 0. Errors: Refusal config_unusable."""
    return next((whole(part[name], name) for name in names if isinstance(part.get(name), int) and not isinstance(part[name], bool)), 0)


def tower_parameters(config: Mapping[str, Any], hidden: int) -> int:
    """All towers of a config, with the projections into the text's width."""
    parts = [config.get(name) for name in ("vision_config", "audio_config")]
    vision, audio = (part if isinstance(part, Mapping) else None for part in parts)
    return vision_parameters(vision, hidden) + audio_parameters(audio, hidden)


def audio_parameters(audio: Mapping[str, Any] | None, hidden: int) -> int:
    """An encoder like Whisper's (keys without bias, two convolutions) and one matrix; 0 for towers of another kind."""
    if not audio or not _width(audio, "num_mel_bins"):
        return 0
    h = _width(audio, "d_model", "hidden_size")
    ffn, layers = _width(audio, "encoder_ffn_dim", "intermediate_size"), _width(audio, "encoder_layers", "num_hidden_layers")
    layer = 4 * h * h + 3 * h + 2 * h * ffn + h + ffn + 4 * h
    ends = 3 * _width(audio, "num_mel_bins") * h + 3 * h * h + (_width(audio, "max_source_positions") + 4) * h
    return layers * layer + ends + h * hidden


def vision_parameters(vision: Mapping[str, Any] | None, hidden: int) -> int:
    """A vision transformer: layers, patches, positions, and the projection of merged patches into the text width."""
    if not vision:
        return 0
    if str(vision.get("model_type")).startswith("glm4v"):
        return _glm(vision)
    h = _width(vision, "embed_dim", "hidden_size", "width", "vt_hidden_size")
    layers = _width(vision, "num_hidden_layers", "depth", "layers", "vt_num_hidden_layers")
    ffn = _width(vision, "intermediate_size", "vt_intermediate_size") or int(h * ratio_of(vision.get("mlp_ratio") or 4, "mlp_ratio"))
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


def _glm(vision: Mapping[str, Any]) -> int:
    """GLM's tower: MLPs of the text's width, a convolution that joins patches, a gated merger of the intermediate width."""
    h, out, inner = (_width(vision, name) for name in ("hidden_size", "out_hidden_size", "intermediate_size"))
    patch, frames, merge = (_width(vision, name) or 2 for name in ("patch_size", "temporal_patch_size", "spatial_merge_size"))
    layer = 4 * h * h + 3 * h * out + 2 * h
    positions = (_width(vision, "image_size") // patch) ** 2 * h
    ends = 3 * frames * patch * patch * h + h + positions + 2 * h + merge * merge * h * out + out
    return _width(vision, "depth") * layer + ends + out * out + 2 * out + 3 * out * inner
