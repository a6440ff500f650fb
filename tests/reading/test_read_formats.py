"""How people write sizes, methods, hardware, money, hours and data: one row of formats.tsv is one way, with what is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.reading import Reading, read
from engine.catalogue import catalogue

ROWS = [
    tuple(line.split("\t")) for line in Path(__file__).with_name("formats.tsv").read_text("utf-8").splitlines() if not line.startswith("#")
]


def told(reading: Reading) -> dict[str, Any]:
    """A reading as the rows write it."""
    printed = reading.contract()
    short = {key: printed[key] for key in ("slot", "range", "value") if key in printed}
    if printed["ask_back"] is not None:
        short["ask"] = [option["value"] for option in printed["ask_back"]["options"]]
    return short | ({"aside": True} if reading.aside else {})


@pytest.mark.parametrize(("slot", "lang", "text", "expected"), ROWS, ids=[f"{row[0]}-{row[1]}-{row[2]}" for row in ROWS])
def test_row(slot: Any, lang: Any, text: str, expected: str) -> None:
    readings = read(text, lang, catalogue(), None if slot == "-" else slot)
    assert [told(reading) for reading in readings if reading.says is None] == json.loads(expected)
    for reading in readings:
        assert reading.text == text[slice(*reading.span)]
