"""What to replace where no setting is enough: more of the same cards, a smaller model, other cards.

Enters: how the step stands, what one card needs as it stands [byte], the catalogue. Leaves a knob each, or None.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.catalogue import Architecture, Catalogue
from engine.memory import typical_architecture
from engine.placement.candidates import Candidate, candidates, how_many, smallest_card
from engine.placement.turns import Stand
from engine.recommendation import Knob
from engine.units import quantity

_SIZES = (405.0, 235.0, 123.0, 70.0, 49.0, 32.0, 27.0, 24.0, 20.0, 14.0, 12.0, 8.0, 4.0, 3.0, 1.7, 1.0, 0.5)  # usual, 10^9 parameters
_STEP_DOWN = 0.85  # of the parameters: a real step
_MARGIN = 1.3  # the need shrinks no faster than the parameters, give or take another vocabulary
_SIZE = re.compile(r"\b\d[\d.x]*B\b.*")


def more_cards(stand: Stand, needed: float, catalogue: Catalogue) -> Knob | None:
    """More of the same card, sharded."""
    cards = stand.spread.cards
    if cards.gpu is None or cards.unified:
        return None
    found = how_many(cards.gpu, stand.architecture, stand.method, stand.request, catalogue)
    if found is None or found.count <= max(cards.count, stand.spread.gpus):
        return None
    saved = quantity(max(needed - found.needed, 0.0), "byte")
    return Knob("more_cards", saved, None, True, {**_hardware(found), "training.sharding": found.sharding})


def other_hardware(stand: Stand, catalogue: Catalogue) -> Knob | None:
    """The smallest card that holds it as it stands, else the smallest machine; it saves nothing, it gives more."""
    asked = (stand.architecture, stand.method, stand.request, catalogue)
    found = smallest_card(*asked) or next(iter(candidates(*asked)), None)
    return None if found is None else Knob("other_hardware", quantity(0.0, "byte"), None, True, _hardware(found))


def _hardware(found: Candidate) -> dict[str, Any]:
    return {"hardware": [{"gpu": found.gpu.name.removeprefix("GeForce "), "count": found.count}]}


def smaller_model(stand: Stand, needed: float, catalogue: Catalogue) -> Knob | None:
    """The largest smaller model of the same line or family that fits as it stands, else the largest usual size."""
    limit = stand.architecture.parameters * min(_STEP_DOWN, _MARGIN * stand.spread.usable / needed)
    for smaller, setting in _smaller(stand.architecture, limit, catalogue):
        left = replace(stand, architecture=smaller).needed
        if left <= stand.spread.usable:
            return Knob("smaller_model", quantity(max(needed - left, 0.0), "byte"), None, True, setting)
    return None


def _smaller(architecture: Architecture, limit: float, catalogue: Catalogue) -> Iterator[tuple[Architecture, Mapping[str, Any]]]:
    relatives = [one for one in catalogue.architectures.values() if one.family == architecture.family and one.parameters < limit]
    for one in sorted(relatives, key=lambda one: (_line(one) != _line(architecture), -one.parameters, one.id)):
        if one.kv_layers != 0:
            yield one, {"models": [{"name": one.name}]}
    for size in _SIZES:
        if size * 1e9 < limit:
            yield typical_architecture(size), {"models": [{"params_b": size}]}


def _line(architecture: Architecture) -> str:
    """The name without its size: models of one line differ in nothing else."""
    return _SIZE.sub("", architecture.name).strip()
