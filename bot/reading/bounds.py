"""What no request can hold: a reading enters, and leaves with a question where its number is beyond what the field takes (0 €/h)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from bot.reading.readings import Reading
from engine.request import Budget, Dataset, Holding, ModelChoice, Part, Quotes, Serving, Slot, Training, Usage

_PARTS: Mapping[Slot, type[Part]] = {
    "model": ModelChoice,
    "hardware": Holding,
    "budget": Budget,
    "usage": Usage,
    "training": Training,
    "dataset": Dataset,
    "serving": Serving,
    "quotes": Quotes,
}
_NAMES = {"hours_per_month": "training_hours_per_month"}
_BEYOND = frozenset(("greater_than", "greater_than_equal", "less_than", "less_than_equal", "finite_number"))


def bounded(reading: Reading) -> Reading:
    """The reading, or the question what is meant by it."""
    if reading.ask_back is not None or not reading.means_it:
        return reading
    values = reading.range or (reading.value,)
    if any(_beyond(reading.slot, value) for value in values):
        return replace(reading, value=None, range=None, ask_back=())
    return reading


def _beyond(slot: Slot, value: Any) -> bool:
    """Whether a number of the value lies outside what its field takes; other faults are for whoever makes the request."""
    if slot not in _PARTS or not isinstance(value, Mapping):
        return False
    try:
        _PARTS[slot].model_validate({_NAMES.get(key, key): entry for key, entry in value.items()})
    except ValidationError as error:
        return any(fault["type"] in _BEYOND for fault in error.errors(include_url=False))
    return False
