"""The formula, the inputs and the source of each term, so that the sum can be redone by hand.

Enters: a term of the moment of the peak with its size. Leaves: arithmetic over named inputs that gives exactly that size [bytes].
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.memory.activations import checkpoint_bytes
from engine.memory.layer import layer_bytes
from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import (
    KEEP_EMBEDDINGS,
    gradient_width,
    state_width,
    trained_parameters,
    trained_width,
    weight_width,
)

Explained: TypeAlias = tuple[str, dict[str, Any]]
SOURCE = "vram-measurements"
_WIDTHS: dict[str, Callable[[Shape, Setup], float]] = {
    "adapters": trained_width,
    "optimizer_states": state_width,
    "gradients": gradient_width,
    "gradient_buckets": gradient_width,
}


def explained(name: str, size: float, shape: Shape, setup: Setup, moment: str) -> tuple[str, dict[str, Any], str]:
    """(formula, inputs, source key) of a term of `size` bytes at a moment; reserve and context explain themselves in `footprint`."""
    if name == "weights" or name in _WIDTHS:
        formula, inputs = _of_states(name, size, shape, setup)
    elif name == "activations":
        formula, inputs = _activations(size, shape, setup, moment)
    elif name in ("logits", "kv_cache"):
        formula, inputs = _per_token(name, size, shape, setup)
    elif name == "working_memory":
        formula, inputs = _working_memory(size, shape, setup, moment)
    else:
        formula, inputs = "parameters * bytes", {"parameters": size / 2, "bytes": 2}
    return formula, inputs, SOURCE


def _of_states(name: str, size: float, shape: Shape, setup: Setup) -> Explained:
    if name == "weights":
        return _weights(size, shape, setup)
    count, width = trained_parameters(shape, setup), _WIDTHS[name](shape, setup)
    share = size / (count * width)
    inputs = {"trained_parameters": count, "bytes": width}
    return ("trained_parameters * bytes", inputs) if share == 1 else ("trained_parameters * bytes * share", {**inputs, "share": share})


def _weights(size: float, shape: Shape, setup: Setup) -> Explained:
    width = weight_width(setup)
    if setup.weight_dtype in KEEP_EMBEDDINGS:
        inputs = {"decoder_parameters": shape.decoder, "bytes": width, "embedding_parameters": shape.embeddings, "embedding_bytes": 2}
        inputs["embedding_bytes"] = 4 if setup.kbit_upcast == "embeddings" else 2
        formula, whole = "(decoder_parameters * bytes + embedding_parameters * embedding_bytes)", shape.decoder * width
        whole += shape.embeddings * inputs["embedding_bytes"]
    else:
        formula, inputs, whole = "parameters * bytes", {"parameters": shape.parameters, "bytes": width}, shape.parameters * width
    if size == whole:
        return formula, inputs
    return f"{formula} * share", {**inputs, "share": size / whole}


def _activations(size: float, shape: Shape, setup: Setup, moment: str) -> Explained:
    if moment == "first_layer":
        return "tokens * bytes", {"tokens": setup.tokens, "bytes": size / setup.tokens}
    each = layer_bytes(shape, setup)[0] if setup.checkpointing == "none" else checkpoint_bytes(shape, setup)
    if setup.checkpointing == "selective":
        each = size / setup.tokens / shape.layers
    ends = size / setup.tokens - shape.layers * each
    inputs = {"tokens": setup.tokens, "layers": shape.layers, "bytes_per_layer": each, "bytes_at_the_ends": ends}
    return "tokens * (layers * bytes_per_layer + bytes_at_the_ends)", inputs


def _per_token(name: str, size: float, shape: Shape, setup: Setup) -> Explained:
    if name == "logits":
        rows = setup.micro_batch if setup.kind == "inference" else setup.tokens
        return "tokens * vocabulary * bytes", {"tokens": rows, "vocabulary": shape.vocab, "bytes": size / rows / shape.vocab}
    width = int(2 * setup.wide)
    inputs = {"tokens": setup.tokens, "layers": shape.kv_layers, "width": shape.cached, "bytes": width}
    whole = width * float(setup.tokens) * shape.kv_layers * shape.cached
    if size == whole:
        return "tokens * layers * width * bytes", inputs
    return "tokens * layers * width * bytes * share", {**inputs, "share": size / whole}


def _working_memory(size: float, shape: Shape, setup: Setup, moment: str) -> Explained:
    if moment == "step":
        count = trained_parameters(shape, setup)
        return "trained_parameters * bytes", {"trained_parameters": count, "bytes": size / count}
    return "tokens * bytes_per_token", {"tokens": setup.tokens, "bytes_per_token": size / setup.tokens}
