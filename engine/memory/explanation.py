"""The formula, the inputs and the source of each term, so that the sum can be redone by hand.

Enters: a term of the moment of the peak with its size. Leaves: arithmetic over named inputs that gives exactly that size [bytes].
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.memory.activations import checkpoint_bytes, work_bytes
from engine.memory.layer import layer_bytes
from engine.memory.moments import gathered_gradients, gathered_widths, prompt_bytes, prompt_tokens, step_width
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
    elif name == "gathered":
        formula, inputs = _gathered(shape, setup, moment)
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
        ends = 4 if setup.kbit_upcast == "embeddings" else 2
        inputs = {"decoder_parameters": shape.decoder, "bytes": width, "embedding_parameters": shape.embeddings, "embedding_bytes": ends}
        formula = "(decoder_parameters * bytes + embedding_parameters * embedding_bytes)"
        whole = shape.decoder * width + shape.embeddings * ends
    else:
        formula, inputs, whole = "parameters * bytes", {"parameters": shape.parameters, "bytes": width}, shape.parameters * width
    if size == whole:
        return formula, inputs
    kind = "copies" if size > whole else "share"  # a reference model beside the trained one, or a part of a card's
    return f"{formula} * {kind}", {**inputs, kind: size / whole}


def _gathered(shape: Shape, setup: Setup, moment: str) -> Explained:
    """Layers and embeddings of other cards, in backward with their gradients."""
    width, ends = gathered_widths(setup)
    backward = moment not in ("forward", "loss")
    inputs = {"layers": 2 if backward else 1, "layer_parameters": shape.layer, "bytes": width}
    inputs |= {"embedding_parameters": shape.embeddings, "embedding_bytes": ends}
    formula = "layers * layer_parameters * bytes + embedding_parameters * embedding_bytes"
    own = gathered_gradients(shape, setup) if backward else 0.0
    return (formula, inputs) if not own else (f"{formula} + gradients", {**inputs, "gradients": own})


def _activations(size: float, shape: Shape, setup: Setup, moment: str) -> Explained:
    if moment == "first_layer":
        copies = 2 * shape.layers if setup.keeps_recomputed else 1
        return "tokens * layers * bytes", {"tokens": setup.tokens, "layers": copies, "bytes": checkpoint_bytes(shape, setup)}
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
    """What grows with the tokens, and what does not: an unpacked matrix, copies of a layer's experts, a tied embedding's gradient."""
    if moment == "step":
        count, width = trained_parameters(shape, setup), step_width(setup)
        if not width:
            return "trained_parameters * bytes", {"trained_parameters": count, "bytes": size / count}
        return "trained_parameters * bytes * share", {"trained_parameters": count, "bytes": width, "share": size / count / width}
    tokens, each = prompt_tokens(setup) if setup.kind == "inference" else setup.tokens, _work_of_a_token(shape, setup, moment)
    fixed = size - tokens * each
    inputs = {"tokens": tokens, "bytes_per_token": each}
    if abs(fixed) < 1:
        return "tokens * bytes_per_token", inputs
    return (
        ("fixed_bytes", {"fixed_bytes": size}) if not each else ("tokens * bytes_per_token + fixed_bytes", {**inputs, "fixed_bytes": fixed})
    )


def _work_of_a_token(shape: Shape, setup: Setup, moment: str) -> float:
    """Bytes a token of one layer's work at a moment."""
    if setup.kind == "inference":
        return prompt_bytes(shape)
    if moment == "backward_end":
        return checkpoint_bytes(shape, setup) * (2 * shape.layers if setup.keeps_recomputed else 1)
    return work_bytes(shape, setup) if moment in ("backward_start", "first_layer") else 0.0
