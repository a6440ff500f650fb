"""From an architecture and a setup to bytes: the peak as one number, or a `Footprint` with every term and its range."""

from collections.abc import Mapping
from typing import Any

from engine.catalogue import Architecture
from engine.memory.calibration import spread
from engine.memory.explanation import explained
from engine.memory.moments import CONTEXT, RESERVE, Terms, peak_moment
from engine.memory.setup import Setup
from engine.memory.shape import shape_of
from engine.memory.states import state_width, trained_parameters, weights
from engine.recommendation import Footprint, Term
from engine.units import quantity


def allocated(architecture: Architecture, setup: Setup) -> float:
    """Peak of what is in use on one card [bytes], as torch counts it."""
    return sum(peak_moment(shape_of(architecture), setup)[1].values())


def peak(architecture: Architecture, setup: Setup) -> float:
    """What must be free on one card [bytes]: peak x 1.06 + 0.6 GB. Source key: vram-measurements."""
    return allocated(architecture, setup) * (1 + RESERVE) + CONTEXT


def cpu_ram(architecture: Architecture, setup: Setup) -> float:
    """CPU memory of the machine for all its cards [bytes]: the weights once while loading, and all that is offloaded."""
    shape = shape_of(architecture)
    loading = weights(shape, setup)
    states = trained_parameters(shape, setup) * state_width(setup) if setup.offload != "none" else 0.0
    parameters = loading if setup.offload in ("parameters", "nvme") and setup.kind != "inference" else 0.0
    return loading + parameters + (0.0 if setup.offload == "nvme" else states)


def terms_of(architecture: Architecture, setup: Setup) -> tuple[str, Terms]:
    """Moment of the peak, and its terms with reserve and context; they add up to `peak`."""
    moment, terms = peak_moment(shape_of(architecture), setup)
    kept = {name: size for name, size in terms.items() if size > 0}
    kept["reserve"] = sum(kept.values()) * RESERVE
    kept["context"] = CONTEXT
    return moment, kept


def footprint(architecture: Architecture, setup: Setup, assumed: Mapping[str, Any]) -> Footprint:
    """What one card must have free: low, expected, high, and the terms that add up to expected."""
    moment, terms = terms_of(architecture, setup)
    expected = sum(terms.values())
    low, high = spread(architecture, setup)
    return Footprint(
        method=setup.method,
        low=quantity(expected * low, "byte"),
        expected=quantity(expected, "byte"),
        high=quantity(expected * high, "byte"),
        terms=tuple(_term(name, size, architecture, setup) for name, size in terms.items()),
        moment=moment,
        cpu_ram=quantity(cpu_ram(architecture, setup), "byte"),
        assumed=dict(assumed),
    )


def _term(name: str, size: float, architecture: Architecture, setup: Setup) -> Term:
    formula, inputs, source = explained(name, shape_of(architecture), setup)
    return Term(name, quantity(size, "byte"), formula, inputs, source)
