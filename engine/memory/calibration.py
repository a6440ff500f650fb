"""How far measured runs lie from what is computed, and what the several readings of one run show beside the peak.

Enters: the terms of a peak and the setup. Leaves: the expected reading [bytes] and the factors of its 90 % range. The factors by
kind of run come from `engine/data/memory_ranges.csv`, made from measured rows (source key: vram-measurements); the command in
tests/benchmarks/memory_table.py makes the table again.
"""

import csv
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

from engine.catalogue import Architecture
from engine.memory.moments import Terms
from engine.memory.setup import Framework, Setup

Reading: TypeAlias = Literal["allocated", "reserved", "nvidia_smi", "unknown"]
TABLE = Path(__file__).parents[1] / "data" / "memory_ranges.csv"

# What the allocator keeps grows with what comes and goes; nvidia-smi adds the context and libraries; an unnamed reading counts as that.
ELASTIC = 0.2
_EXPANDABLE = {"torchtitan": 0.1}  # its start script lets segments grow, so less lies idle
CONSTANT: dict[str, float] = {"allocated": 0.0, "reserved": 0.3e9, "nvidia_smi": 1.2e9, "unknown": 1.2e9}
PASSING = ("activations", "logits", "working_memory", "gathered", "kv_cache")
_TOLD = ("hf", "litgpt")
_QUANTISED = ("int8", "fp8", "nf4", "nf4-dq", "gptq4", "awq4", "q4", "q5", "q8")
# A shape guessed from a size, by what is trained. Vocabularies differ most and weigh most beside small weights: the low end holds nine of
# ten dense models of the catalogue; the high end allows for a large vocabulary below 6B, where that is as usual as a small one.
_ESTIMATED: dict[str, tuple[float, float]] = {
    "full": (0.95, 1.10),
    "adapters": (0.85, 1.10),
    "quantised": (0.75, 1.10),
    "inference": (0.95, 1.10),
}
_SMALL, _SMALL_HIGH = 6e9, 1.25  # parameters; factor
_UNKNOWN = (0.75, 1.35)  # a config.json of an unknown family: most such counts are off by less than this


def kind_of(setup: Setup, reading: Reading) -> str:
    """The kind of run a range was measured for."""
    if reading in ("unknown", "nvidia_smi"):
        return reading
    if setup.framework not in _TOLD:
        return "other"
    if setup.framework == "litgpt":
        return "litgpt"
    if setup.gpus > 1:
        return "sharded_quantised" if setup.weight_dtype in _QUANTISED else "sharded"
    return "quantised" if setup.weight_dtype in _QUANTISED else "plain"


@cache
def ranges() -> dict[str, tuple[float, float]]:
    """Kind of run -> (low, high) as factors on the expected reading."""
    with TABLE.open(encoding="utf-8", newline="") as table:
        return {row["kind"]: (float(row["low"]), float(row["high"])) for row in csv.DictReader(table)}


def spread(architecture: Architecture, setup: Setup, reading: Reading = "allocated") -> tuple[float, float]:
    """(low, high) as factors on the expected reading; wider for a shape estimated from a size."""
    low, high = ranges()[kind_of(setup, reading)]
    if reading == "unknown":  # never narrower than the reading it counts as
        named = ranges()["nvidia_smi"]
        low, high = min(low, named[0]), max(high, named[1])
    if architecture.estimated:
        kind = "quantised" if setup.kind == "adapters" and setup.weight_dtype in _QUANTISED else setup.kind
        less, more = _UNKNOWN if architecture.family == "unknown" else _ESTIMATED[kind]
        if setup.kind == "adapters" and architecture.parameters < _SMALL:
            more = max(more, _SMALL_HIGH)
        return low * less, high * more
    return low, high


def expected_reading(terms: Terms, reading: Reading, framework: Framework) -> float:
    """What a reading of the peak shows [bytes]."""
    in_use = sum(terms.values())
    if reading == "allocated":
        return in_use
    elastic = _EXPANDABLE.get(framework, ELASTIC)
    return in_use + elastic * sum(terms.get(name, 0.0) for name in PASSING) + CONSTANT[reading]
