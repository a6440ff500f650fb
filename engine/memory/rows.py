"""Typed rows of `memory --batch`: a row enters as a dict, an answer leaves as a dict, both of the machine contract.

Fields given win over the catalogue. Errors: `Refusal` with a code, the field and what was read.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.catalogue import Architecture, Catalogue
from engine.memory.calibration import Reading, expected_reading, spread
from engine.memory.footprint import peak
from engine.memory.moments import Terms, peak_moment
from engine.memory.naming import architecture_of
from engine.memory.row_schema import SHAPE, checked
from engine.memory.row_setup import setup_of_row
from engine.memory.setup import Setup
from engine.memory.shape import shape_of

_GB = 1e9


def resolved(line: Mapping[str, Any], catalogue: Catalogue) -> tuple[Architecture, Setup, Reading, dict[str, Any]]:
    """Architecture, setup, reading asked for and defaults taken of a row. Errors: Refusal."""
    one = checked(line)
    architecture = architecture_of(one.model, {name: getattr(one, name) for name in SHAPE}, catalogue)
    setup, assumed = setup_of_row(one, architecture)
    if one.reading is None:
        assumed["reading"] = "nvidia_smi"
    return architecture, setup, one.reading or "nvidia_smi", assumed


def _paged_out_of_sight(setup: Setup, reading: Reading) -> bool:
    """Paged optimizer states lie in managed memory, which torch does not count."""
    return setup.optimizer.startswith("paged") and reading in ("allocated", "reserved")


def row(line: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Answer one row: expected, low and high of the reading asked for, what must be free, the terms [GB]. Errors: Refusal."""
    architecture, setup, reading, assumed = resolved(line, catalogue)
    terms, expected = _read(architecture, setup, reading)
    low, high = spread(architecture, setup, reading)
    shown = {name: size / _GB for name, size in terms.items() if size > 0}
    overhead = expected - sum(terms.values())
    if overhead > 0:
        shown["overhead"] = overhead / _GB
    return {
        "id": line["id"],
        "expected_gb": expected / _GB,
        "low_gb": min(low, 1.0) * expected / _GB,
        "high_gb": max(max(high, 1.0) * expected, _unfused(line, architecture, setup, reading)) / _GB,
        "required_gb": peak(architecture, setup) / _GB,
        "terms": shown,
        "assumed": assumed,
    }


def _read(architecture: Architecture, setup: Setup, reading: Reading) -> tuple[Terms, float]:
    """The terms at the peak, and what the reading shows [bytes]."""
    seen = replace(setup, offload="optimizer") if _paged_out_of_sight(setup, reading) else setup
    _, terms = peak_moment(shape_of(architecture), seen)
    return terms, expected_reading(terms, reading, setup.framework)


def _unfused(line: Mapping[str, Any], architecture: Architecture, setup: Setup, reading: Reading) -> float:
    """What the reading shows [bytes] where nobody said how AdamW is made, and it is the unfused one; 0 where they did."""
    if "optimizer_impl" in line or setup.kind != "full" or setup.optimizer not in ("adamw", "paged_adamw"):
        return 0.0
    return _read(architecture, replace(setup, optimizer_impl="foreach"), reading)[1]
