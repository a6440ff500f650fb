"""The fields of a config.json under one roof: nested text parts on top, the many names of one width, numbers checked.

Errors: `Refusal` config_incomplete, config_unusable.
"""

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import Refusal

_DEFAULTS = Path(__file__).parents[1] / "data" / "config_defaults.csv"
_NESTED = ("text_config", "llm_config", "language_config", "thinker_config")
_LIMIT = 10**8  # widths, counts, rows of a vocabulary
_LARGEST_RATIO = 1000.0
KEYS: dict[str, tuple[str, ...]] = {
    "hidden": ("hidden_size", "n_embd", "d_model", "dim"),
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "n_head_kv"),
    "ffn": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "hidden_dim"),
    "vocab": ("vocab_size", "padded_vocab_size"),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "context": ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx"),
    "experts": ("num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"),
    "top_k": ("num_experts_per_tok", "num_experts_per_token", "experts_per_token", "top_k_experts", "moe_top_k", "moe_topk", "moe_k"),
    "moe_ffn": ("moe_intermediate_size", "moe_ffn_hidden_size"),
    "shared_ffn": ("shared_expert_intermediate_size", "shared_intermediate_size", "moe_shared_expert_intermediate_size"),
}


def _text_part(config: Mapping[str, Any]) -> Mapping[str, Any]:
    return next((config[name] for name in _NESTED if isinstance(config.get(name), Mapping)), {})


def whole(value: object, key: str) -> int:
    """A width or a count. Errors: Refusal config_unusable where it is no number, negative or beyond what a model can have."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LIMIT:  # a NaN compares false
        raise Refusal("config_unusable", "models.config", str(value)[:80], {"key": key})
    return int(value)


def ratio_of(value: object, key: str) -> float:
    """A factor on a width. Errors: Refusal config_unusable."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _LARGEST_RATIO:
        raise Refusal("config_unusable", "models.config", str(value)[:80], {"key": key})
    return float(value)


def _mean(values: list[Any], key: str) -> int | None:
    """What a layer has on average; None where the list holds no numbers."""
    if not values or not all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
        return None
    return round(sum(whole(one, key) for one in values) / len(values))


@cache
def class_defaults() -> dict[str, dict[str, Any]]:
    """model_type of a text part -> what transformers leaves out of it when it is the class's default."""
    with _DEFAULTS.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
    return {row.pop("model_type"): {key: _value(word) for key, word in row.items() if word} for row in rows}


def _value(word: str) -> int | bool:
    return word == "y" if word in ("y", "n") else int(word)


class Fields:
    """A config with its nested text part on top; numbers are checked where they are read."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        inner = _text_part(config)
        left_out = class_defaults().get(str(inner.get("model_type")), {}) if inner else {}
        self.all: dict[str, Any] = {**left_out, **config, **inner, **_text_part(inner)}
        for part in ("attn_config", "ffn_config"):
            if isinstance(self.all.get(part), Mapping):
                self.all = {**self.all[part], **self.all}
        if isinstance(config.get("tie_word_embeddings"), bool):  # the whole model's word outweighs its text part's
            self.all["tie_word_embeddings"] = config["tie_word_embeddings"]
        self.towers = {name: part for name, part in config.items() if name in ("vision_config", "audio_config")}

    def number(self, what: str) -> int | None:
        """The whole number under the first of the names of `what` that holds one; of a list with a value a layer their mean. Errors:
        Refusal config_unusable."""
        for key in KEYS.get(what, (what,)):
            value = self.all.get(key)
            if isinstance(value, list):
                value = _mean(value, key)
            if value is not None and not isinstance(value, bool | Mapping):
                return whole(value, key)
        return None

    def needed(self, what: str) -> int:
        """The same, present and positive. Errors: Refusal config_incomplete."""
        value = self.number(what)
        if not value:
            raise Refusal("config_incomplete", "models.config", None, {"key": KEYS[what][0]})
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.all.get(name)
        return value if isinstance(value, bool) else default
