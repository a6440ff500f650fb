"""The formula, the inputs and the source of each term, so that the sum can be redone by hand."""

from typing import Any

from engine.memory.moments import CONTEXT, RESERVE
from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import BYTES, gradient_width, state_width, trained_parameters

SOURCE = "vram-measurements"


def explained(name: str, shape: Shape, setup: Setup) -> tuple[str, dict[str, Any], str]:
    """(formula, inputs, source key) of a term."""
    describe = _FORMULAS.get(name)
    formula, inputs = describe(shape, setup) if describe is not None else ("", {})
    return formula, inputs, SOURCE


def _weights(shape: Shape, setup: Setup) -> tuple[str, dict[str, Any]]:
    return "parameters * bytes", {"parameters": shape.parameters, "bytes": BYTES[setup.weight_dtype], "cards": setup.gpus}


def _adapters(shape: Shape, setup: Setup) -> tuple[str, dict[str, Any]]:
    return "adapter_parameters * bytes", {"adapter_parameters": trained_parameters(shape, setup), "bytes": BYTES[setup.adapter_dtype]}


def _optimizer(shape: Shape, setup: Setup) -> tuple[str, dict[str, Any]]:
    return "trained_parameters * bytes", {"trained_parameters": trained_parameters(shape, setup), "bytes": state_width(setup)}


def _gradients(shape: Shape, setup: Setup) -> tuple[str, dict[str, Any]]:
    return "trained_parameters * bytes", {"trained_parameters": trained_parameters(shape, setup), "bytes": gradient_width(setup)}


def _reserve(shape: Shape, setup: Setup) -> tuple[str, dict[str, Any]]:
    del shape, setup  # of every model alike
    return "sum * share", {"share": RESERVE}


def _context(shape: Shape, setup: Setup) -> tuple[str, dict[str, Any]]:
    del shape, setup
    return "constant", {"bytes": CONTEXT}


_FORMULAS = {
    "weights": _weights,
    "adapters": _adapters,
    "optimizer_states": _optimizer,
    "gradients": _gradients,
    "reserve": _reserve,
    "context": _context,
}
