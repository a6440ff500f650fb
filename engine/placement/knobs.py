"""The ladder of knobs for one case: what each saves per card, what it costs in time, whether it then fits.

Enters: how the step stands, and the catalogue. Leaves: the knobs that save something here, in the order one should turn them; then,
where it does not fit and no single setting is enough, `combination`, the first settings of the ladder that fit together; then what
replaces cards or model (`engine.placement.replacements`). Slowdowns are figures; None where nobody measured it or the work changes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.catalogue import Catalogue
from engine.placement.replacements import more_cards, other_hardware, smaller_model
from engine.placement.turns import LADDER, OF_THE_BASE, Stand
from engine.recommendation import Knob
from engine.units import quantity

_LEAST = 0.005  # of the need: a knob that saves less does nothing here
_LEAST_TOGETHER = 0.02  # of the need: a combination leaves out what hardly helps

_SLOWDOWNS: Mapping[str, str] = {
    "gradient_checkpointing": "checkpointing_slowdown",
    "qlora": "qlora_slowdown",
    "fused_loss": "fused_loss_slowdown",
    "optimizer_8bit": "optimizer_8bit_slowdown",
    "offload_optimizer": "offload_slowdown",
    "offload_parameters": "offload_slowdown",
}


def knobs_of(stand: Stand, needed: float, catalogue: Catalogue) -> tuple[Knob, ...]:
    """Every knob that helps here. `needed`: what one card needs as it stands [byte]."""
    single = tuple(_single(stand, needed, catalogue))
    if needed <= stand.spread.usable:
        return single
    together = None if any(knob.fits for knob in single) else _combination(stand, needed, catalogue)
    last = (together, more_cards(stand, needed, catalogue), smaller_model(stand, needed, catalogue), other_hardware(stand, catalogue))
    return single + tuple(knob for knob in last if knob)


def _single(stand: Stand, needed: float, catalogue: Catalogue) -> Iterator[Knob]:
    setup = stand.setup
    for name, turn in LADDER:
        turned = turn(stand, setup)
        if turned is None:
            continue
        after, setting = turned
        left = after.needed
        if needed - left > _LEAST * needed:
            fits = left <= after.spread.usable
            yield Knob(name, quantity(needed - left, "byte"), slowdown_of(name, stand, catalogue), fits, setting)


def slowdown_of(name: str, stand: Stand, catalogue: Catalogue) -> float | None:
    """Time factor of a knob: a figure, the inverse of the scaling for sharding, None where unknown."""
    if name == "sharding":
        linked = stand.spread.cards.nvlink
        return 1 / catalogue.figure("scaling_nvlink" if linked else "scaling_sharded").typical
    figure = _SLOWDOWNS.get(name)
    return None if figure is None else catalogue.figure(figure).typical


def _combination(stand: Stand, needed: float, catalogue: Catalogue) -> Knob | None:
    """The first settings of the ladder that fit together; each is kept only if it helps; the method is changed last."""
    settings: dict[str, Any] = {}
    now, left, slowdown = stand, needed, 1.0
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
            return Knob("combination", quantity(needed - left, "byte"), slowdown, True, settings)
    return None


def _kept(settings: Mapping[str, Any], turned: Mapping[str, Any]) -> dict[str, Any]:
    """What still stands once the method changes: adapters leave the settings of a full run behind."""
    return {name: value for name, value in settings.items() if "methods" not in turned or name not in OF_THE_BASE}
