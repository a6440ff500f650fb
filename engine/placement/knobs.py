"""The ladder of knobs for one case: what each saves per card, what it costs in time, whether it then fits.

Enters: how the step stands, and the catalogue. Leaves: the knobs that save something here, in the order one should turn them; then,
where no single setting is enough, `combination`, the first settings of the ladder that fit together; then more of the same cards, the
smaller model and the other card that would do. Slowdowns are figures; None where the work itself changes or nobody measured it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.catalogue import Architecture, Catalogue
from engine.memory import typical_architecture
from engine.placement.candidates import candidates, how_many, smallest_card
from engine.placement.turns import LADDER, OF_THE_BASE, Stand
from engine.recommendation import Knob
from engine.units import quantity

_LEAST = 0.005  # of the need: a knob that saves less does nothing here
_LEAST_TOGETHER = 0.02  # of the need: a combination leaves out what hardly helps
_SIZES = (405.0, 235.0, 123.0, 70.0, 49.0, 32.0, 27.0, 24.0, 20.0, 14.0, 12.0, 8.0, 4.0, 3.0, 1.7, 1.0, 0.5)  # usual, 10^9 parameters
_SIZE = re.compile(r"\b\d[\d.x]*B\b.*")
_SMALLER = 0.85  # of the parameters: a real step down

_SLOWDOWNS: Mapping[str, str] = {
    "gradient_checkpointing": "checkpointing_slowdown",
    "qlora": "qlora_slowdown",
    "fused_loss": "fused_loss_slowdown",
    "optimizer_8bit": "optimizer_8bit_slowdown",
    "offload_optimizer": "offload_slowdown",
    "offload_parameters": "offload_slowdown",
}


def knobs_of(stand: Stand, catalogue: Catalogue) -> tuple[Knob, ...]:
    """Every knob that helps here; the ladder alone, then the combination, then a smaller model."""
    single = tuple(_single(stand, catalogue))
    if stand.fits:
        return single
    together = None if any(knob.fits for knob in single) else _combination(stand, catalogue)
    last = (together, _more_cards(stand, catalogue), _smaller_model(stand, catalogue), _other_card(stand, catalogue))
    return single + tuple(knob for knob in last if knob)


def _single(stand: Stand, catalogue: Catalogue) -> Iterator[Knob]:
    setup, needed = stand.setup, stand.needed
    for name, turn in LADDER:
        turned = turn(stand, setup)
        if turned is None:
            continue
        after, setting = turned
        left = after.needed
        if needed - left > _LEAST * needed:
            yield _knob(name, needed, left, after, setting, slowdown_of(name, stand, catalogue))


def _knob(name: str, needed: float, left: float, after: Stand, setting: Mapping[str, Any], slowdown: float | None) -> Knob:
    return Knob(name, quantity(max(needed - left, 0.0), "byte"), slowdown, left <= after.spread.usable, setting)


def slowdown_of(name: str, stand: Stand, catalogue: Catalogue) -> float | None:
    """Time factor of a knob: a figure, the inverse of the scaling for sharding, None where unknown."""
    if name == "sharding":
        linked = stand.spread.cards.nvlink
        return 1 / catalogue.figure("scaling_nvlink" if linked else "scaling_sharded").typical
    figure = _SLOWDOWNS.get(name)
    return None if figure is None else _typical(catalogue, figure)


def _typical(catalogue: Catalogue, figure: str) -> float:
    return catalogue.figure(figure).typical


def _combination(stand: Stand, catalogue: Catalogue) -> Knob | None:
    """The first settings of the ladder that fit together; each is kept only if it helps; the method is changed last."""
    settings: dict[str, Any] = {}
    now, left, slowdown, needed = stand, stand.needed, 1.0, stand.needed
    for name, turn in (*LADDER, LADDER[0]):  # the length once more: what the others made room for decides how far
        turned = turn(now, now.setup)
        if turned is None:
            continue
        after = turned[0].needed
        if left - after <= _LEAST_TOGETHER * needed:
            continue
        now, left = turned[0], after
        settings = {**_kept(settings, turned[1]), **turned[1]}
        slowdown *= slowdown_of(name, stand, catalogue) or 1.0
        if left <= now.spread.usable:
            return _knob("combination", needed, left, now, settings, slowdown)
    return None


def _kept(settings: Mapping[str, Any], turned: Mapping[str, Any]) -> dict[str, Any]:
    """What still stands once the method changes: adapters leave the settings of a full run behind."""
    return {name: value for name, value in settings.items() if "methods" not in turned or name not in OF_THE_BASE}


def _smaller_model(stand: Stand, catalogue: Catalogue) -> Knob | None:
    """The largest smaller model of the same family that fits as it stands, else the largest usual size."""
    for smaller, setting in _smaller(stand.architecture, catalogue):
        after = replace(stand, architecture=smaller)
        left = after.needed
        if left <= after.spread.usable:
            return _knob("smaller_model", stand.needed, left, after, setting, None)
    return None


def _more_cards(stand: Stand, catalogue: Catalogue) -> Knob | None:
    """More of the same card, sharded."""
    cards = stand.spread.cards
    if cards.gpu is None or cards.unified:
        return None
    found = how_many(cards.gpu, stand.architecture, stand.method, stand.request, catalogue)
    if found is None or found.count <= max(cards.count, stand.spread.gpus):
        return None
    setting = {"hardware": [{"gpu": found.gpu.name.removeprefix("GeForce "), "count": found.count}], "training.sharding": found.sharding}
    return Knob("more_cards", quantity(max(stand.needed - found.needed, 0.0), "byte"), None, True, setting)


def _other_card(stand: Stand, catalogue: Catalogue) -> Knob | None:
    """The smallest card that holds it as it stands, else the smallest machine; it saves nothing, it gives more."""
    asked = (stand.architecture, stand.method, stand.request, catalogue)
    found = smallest_card(*asked) or next(iter(candidates(*asked)), None)
    if found is None:
        return None
    setting = {"hardware": [{"gpu": found.gpu.name.removeprefix("GeForce "), "count": found.count}]}
    return Knob("other_card", quantity(0.0, "byte"), None, True, setting)


def _line(architecture: Architecture) -> str:
    """The name without its size: models of one line differ in nothing else."""
    return _SIZE.sub("", architecture.name).strip()


def _smaller(architecture: Architecture, catalogue: Catalogue) -> Iterator[tuple[Architecture, Mapping[str, Any]]]:
    limit = architecture.parameters * _SMALLER
    relatives = [one for one in catalogue.architectures.values() if one.family == architecture.family and one.parameters < limit]
    for one in sorted(relatives, key=lambda one: (_line(one) != _line(architecture), -one.parameters, one.id)):
        if one.kv_layers != 0:
            yield one, {"models": [{"name": one.name}]}
    for size in _SIZES:
        if size * 1e9 < limit:
            yield typical_architecture(size), {"models": [{"params_b": size}]}
