"""From an architecture and a setup to bytes: the peak as one number, or a `Footprint` with every term and its range."""

from collections.abc import Mapping
from typing import Any

from engine.catalogue import Architecture
from engine.memory.calibration import spread
from engine.memory.explanation import SOURCE, explained
from engine.memory.moments import CONTEXT, RESERVE, Terms, peak_moment
from engine.memory.setup import Setup
from engine.memory.shape import Shape, shape_of
from engine.memory.states import state_width, trained_parameters, weights
from engine.recommendation import Footprint, Term
from engine.units import quantity

# Moments as people are told them: the loss opens backward, the first layer is its last.
_TOLD = {"loss": "backward_start", "first_layer": "backward_end"}


def allocated(architecture: Architecture, setup: Setup) -> float:
    """Peak of what is in use on one card [bytes], as torch counts it."""
    return sum(peak_moment(shape_of(architecture), setup)[1].values())


def peak(architecture: Architecture, setup: Setup) -> float:
    """What must be free on one card [bytes]: peak x 1.06 + 0.6 GB. Source key: vram-measurements."""
    return allocated(architecture, setup) * (1 + RESERVE) + CONTEXT


def cpu_ram(architecture: Architecture, setup: Setup) -> float:
    """CPU memory of the machine for all its cards [bytes]: the weights once, and what is offloaded to it: moments, and of
    mixed-precision training the fp32 weights and gradients, 18 bytes a parameter in all with AdamW (as DeepSpeed counts)."""
    shape = shape_of(architecture)
    loading = weights(shape, setup)
    if setup.offload in ("none", "nvme") or setup.kind == "inference":
        return loading
    mixed = 8 if setup.master_in_ram else 4 if setup.keeps_master else 0
    return loading + trained_parameters(shape, setup) * (state_width(shape, setup) + mixed)


def footprint(architecture: Architecture, setup: Setup, assumed: Mapping[str, Any]) -> Footprint:
    """What one card must have free: low, expected, high, and the terms that add up to expected."""
    shape = shape_of(architecture)
    moment, parts = peak_moment(shape, setup)
    in_use = sum(parts.values())
    expected = in_use * (1 + RESERVE) + CONTEXT
    low, high = spread(architecture, setup)
    return Footprint(
        method=setup.method,
        low=quantity(expected * min(1.0, low), "byte"),
        expected=quantity(expected, "byte"),
        high=quantity(expected * max(1.0, high), "byte"),
        terms=(*_terms(parts, shape, setup, moment), *_kept_free(in_use)),
        moment=_TOLD.get(moment, moment),
        cpu_ram=quantity(cpu_ram(architecture, setup), "byte"),
        assumed=dict(assumed),
    )


def _terms(parts: Terms, shape: Shape, setup: Setup, moment: str) -> tuple[Term, ...]:
    return tuple(
        Term(name, quantity(size, "byte"), *explained(name, size, shape, setup, moment)) for name, size in parts.items() if size > 0
    )


def _kept_free(in_use: float) -> tuple[Term, Term]:
    """What the allocator keeps beyond what is in use, and the driver's context."""
    reserve = Term("reserve", quantity(in_use * RESERVE, "byte"), "in_use * share", {"in_use": in_use, "share": RESERVE}, SOURCE)
    return reserve, Term("context", quantity(CONTEXT, "byte"), "bytes", {"bytes": CONTEXT}, SOURCE)
