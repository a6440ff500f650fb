"""Numbers no request can hold: never a traceback, never a value outside the contract, always a question."""

from typing import get_args

import pytest

from bot.reading import read, understood
from engine.catalogue import catalogue
from engine.request import Slot

SLOTS = (None, *get_args(Slot))


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize(
    "text", ["9" * 400, "9" * 400 + " h", "1e999 tokens", "1e-999 tokens", "8" * 5000, "1" * 30 + "." + "1" * 30 + " €"]
)
def test_numbers_without_measure_are_read_over(text, slot, fits_schema):
    readings = read(text, "en", catalogue(), slot)
    assert fits_schema("readings", {"readings": [one.contract() for one in readings if one.says is None]}) == []


@pytest.mark.parametrize(
    ("text", "slot"),
    [("0 €/h", "quotes"), ("999999999999 users", "serving"), ("100 million users", None), ("12 h", None)],
)
def test_what_lies_outside_its_field_is_asked_back(text, slot, fits_schema):
    readings = read(text, "en", catalogue())
    assert fits_schema("readings", {"readings": [one.contract() for one in readings]}) == []
    if slot is not None:
        assert [(one.slot, one.value, one.ask_back) for one in readings] == [(slot, None, ())]
        assert slot in {question.slot for question in understood(readings, "en").questions}
