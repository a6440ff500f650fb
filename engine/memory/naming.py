"""From what a row says about its model to an `Architecture`: a name of the catalogue, given fields over it, or a size alone.

Errors: `Refusal` where the name is not known and no size is given, or where fields cannot be together.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalogue import Architecture, Catalogue
from engine.catalogue.names import NotOpen, architecture_named
from engine.errors import Refusal
from engine.memory.families import FAMILIES, family_of
from engine.memory.typical import typical_architecture, typical_mixture

# "7b", "0.6b", "8x22b", "1t", "500m"; not the "a3b" of what is active, nor the "1m" of a context
_SIZE = re.compile(r"(?<![a-z\d.])(?:(\d+)x)?(\d+(?:\.\d+)?)\s?(t|b|m)(?![a-z\d]|-?(?:context|ctx|token))")
_ACTIVE = re.compile(r"(?<![a-z\d])a(\d+(?:\.\d+)?)b(?![a-z\d])")
_UNITS = {"t": 1e3, "b": 1.0, "m": 1e-3}
_FIELDS = {"heads": "heads", "kv_heads": "kv_heads", "head_dim": "head_dim", "vocab": "vocab", "tied": "tied_embeddings"}


def known(name: str, catalogue: Catalogue) -> Architecture | None:
    """The catalogue's architecture of a name; None where it is not there, or means several."""
    found = architecture_named(name, catalogue)
    return found if isinstance(found, Architecture) else None


def size_in_name(name: str) -> float | None:
    """10^9 parameters a name states, such as 7 in "qwen-7b" or 46.7 in "8x5.8b"; None where it states none."""
    found = _SIZE.search(name.lower())
    if found is None or float(found[2]) == 0:
        return None
    size = float(found[2]) * _UNITS[found[3]] * int(found[1] or 1)
    return size if 0 < size <= 100_000 else None


def _typical(name: str | None, size: float, given: Mapping[str, Any]) -> Architecture:
    """A typical shape of a size; a mixture where experts are given, or where the name states them ("8x7b") or what is active ("a3b")."""
    words = (name or "").lower()
    times, active = _SIZE.search(words), _ACTIVE.search(words)
    experts = given.get("n_experts") or (int(times[1]) if times is not None and times[1] else 1)
    if experts > 1:
        return typical_mixture(size, experts, given.get("top_k"))
    return typical_architecture(size, float(active[1]) if active is not None and float(active[1]) else None)


def _family_by_name(name: str | None) -> str:
    """The family whose name the model's name starts with, the longest first; typical where none does."""
    if name is None:
        return "typical"
    words = re.sub(r"[-_:\s]+", "", name.lower().rpartition("/")[2])
    starts = (family for family in FAMILIES if re.match(re.escape(family.replace("-", "")) + r"(?![a-z])", words))
    return max(starts, key=len, default="typical")


def _filled(guess: Architecture, given: Mapping[str, Any]) -> Architecture:
    """Put given fields over an architecture; head_dim follows hidden and heads where it is not given."""
    fields: dict[str, Any] = {_FIELDS.get(name, name): value for name, value in given.items() if value is not None and name != "params_b"}
    if given.get("params_b") is not None:
        fields["parameters"] = given["params_b"] * 1e9
    heads, hidden = fields.get("heads", guess.heads), fields.get("hidden", guess.hidden)
    if ("heads" in fields or "hidden" in fields) and "head_dim" not in fields and guess.head_dim * guess.heads == guess.hidden:
        fields["head_dim"] = max(1, hidden // heads)
    if "heads" in fields and "kv_heads" not in fields and guess.estimated:
        fields["kv_heads"] = min(heads, guess.kv_heads)
    if guess.moe_ffn is not None and fields.get("ffn") not in (None, guess.ffn):
        fields["moe_ffn"] = fields["ffn"]  # of a mixture the width of an expert, unless it is that of its dense layers
    return replace(guess, **fields)


def _fitting(architecture: Architecture, tied: bool | None) -> Architecture:
    """The family (gated MLP or not) and the tying whose count comes nearest to the parameters given, for a shape without a known name."""
    h, layers, vocab = architecture.hidden, architecture.layers, architecture.vocab
    attention = 2 * h * architecture.head_dim * (architecture.heads + architecture.kv_heads)

    def miss(gated: bool, one: bool) -> float:
        matrices = 3 if gated else 2
        return abs(vocab * h * (1 if one else 2) + layers * (attention + matrices * h * architecture.ffn) - architecture.parameters)

    ties = (tied,) if tied is not None else (False, True)
    gated, one = min(((gated, one) for gated in (True, False) for one in ties), key=lambda pair: miss(*pair))
    family = architecture.family if family_of(architecture).gated == gated else "typical" if gated else "gptneox"
    return replace(architecture, tied_embeddings=one, family=family)


def architecture_of(name: str | None, given: Mapping[str, Any], catalogue: Catalogue) -> Architecture:
    """Resolve a model by name, given fields first. Errors: Refusal model_unknown, model_unsized, shape_impossible."""
    found = known(name, catalogue) if name is not None else None
    if name is not None and given.get("params_b") is None and isinstance(architecture_named(name, catalogue), NotOpen):
        raise Refusal("model_unsized", "model", name)
    size = given.get("params_b") or (size_in_name(name) if name is not None and found is None else None)
    if found is None and size is None:
        raise Refusal("model_unknown", "model", name)
    base = found or replace(_typical(name, size or 1.0, given), family=_family_by_name(name), name=name or "")
    resolved = _filled(base, given)
    if resolved.kv_heads > resolved.heads:
        raise Refusal("shape_impossible", "kv_heads", str(resolved.kv_heads), {"heads": resolved.heads})
    if (resolved.top_k or 1) > (resolved.n_experts or 1):
        raise Refusal("shape_impossible", "top_k", str(resolved.top_k), {"n_experts": resolved.n_experts})
    if found is None and given.get("hidden") is not None and given.get("ffn") is not None and given.get("n_experts") is None:
        resolved = _fitting(replace(resolved, estimated=False), given.get("tied"))
    return resolved
