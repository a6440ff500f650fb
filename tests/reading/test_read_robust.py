"""Whatever people write: no exception, no slow text, every reading in the form of the contract and at its place."""

import json
import random
import time
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from referencing import Registry, Resource

from bot.reading import changed, intent_of, read, understood
from engine.catalogue import catalogue
from engine.request import Request

CONTRACT = Path(__file__).parents[2] / "bot" / "contract" / "schemas"
SLOTS = [
    None,
    "goal",
    "model",
    "method",
    "stage",
    "hardware",
    "budget",
    "usage",
    "training",
    "dataset",
    "serving",
    "site",
    "constraints",
    "quotes",
]
HOSTILE = [
    "9**9**9 EUR",
    "<b>&_* <script>alert(1)</script> 8B",
    "5e999 € budget",
    "1e308 hours a month 8e400 b",
    "\u202e8B LoRA\u202c 5000 €",
    "8\u200bB LoRA 12\u200d h im Monat",
    "\x00\x01\x02 8B \x7f",
    "١٢ hours a month",
    "８Ｂ ＬｏＲＡ",
    "-12 hours a month, -5 €, 0x A100, 0B",
    "999999999999999999999999 x A100",
    "8B " * 1400,
    "🤖" * 2000,
    "((((" * 1000,
    "-" * 4096,
    "8b-" + "./" * 2000,
    "1.1.1.1,1,1" * 300,
    "€" * 4000,
    "GPU 0; . GiB total capacity",
    "{{ 7*7 }} %s %(a)s \\N{DIGIT ONE}",
    "tried to allocate 1..2 GiB; ... GiB total capacity",
    "ﬁne-tune İstanbul ǅ ß ſ 8b",
    "²³ ½ 8b ⑧B",
]
FAST = 0.05  # seconds of work for a text of any kind


@cache
def validator() -> jsonschema.Draft202012Validator:
    schemas = [json.loads(path.read_text("utf-8")) for path in CONTRACT.glob("*.json")]
    registry: Registry[Any] = Registry().with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in schemas])
    readings = next(schema for schema in schemas if schema["$id"].endswith("readings"))
    return jsonschema.Draft202012Validator(readings, registry=registry)


def checked(text: str, lang: Any = "en", slot: Any = None, everything: bool = True) -> float:
    """Read a text, and make everything of it that is made of readings; the seconds of work the reading took."""
    began = time.process_time()
    readings = read(text, lang, catalogue(), slot)
    took = time.process_time() - began
    if not everything:
        return took
    found = understood(readings, lang)
    intent_of(text, readings)
    changed(Request(lang=lang, methods=("lora",)), readings)
    for reading in readings:
        assert reading.text == text[slice(*reading.span)]
        assert 0 <= reading.span[0] <= reading.span[1] <= len(text)
    Request.model_validate(found.request.contract())
    return took


def in_form(text: str, lang: Any, slot: Any) -> None:
    printed = {"readings": [reading.contract() for reading in read(text, lang, catalogue(), slot)]}
    errors = [error.message for error in validator().iter_errors(json.loads(json.dumps(printed, allow_nan=False)))]
    assert not errors, (text, errors[:2])


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("slot", [None, "budget", "hardware", "usage", "model"])
def test_hostile_text(text: str, slot: Any) -> None:
    checked(text, "de", slot)
    in_form(text, "en", slot)


def test_formulas_are_no_numbers() -> None:
    assert not [reading for reading in read("9**9**9 EUR", "en", catalogue(), "budget") if reading.value or reading.range]


def test_other_digits_and_hidden_signs() -> None:
    assert understood(read("8\u200bB LoRA \u202e12\u202c h/Monat", "de", catalogue()), "de").request.usage is not None
    found = understood(read("١٢ hours a month", "en", catalogue()), "en").request.usage
    assert found is not None
    assert found.training_hours_per_month == 12


@pytest.mark.parametrize("row", [line.split("\t") for line in Path(__file__).with_name("formats.tsv").read_text("utf-8").splitlines()[1:]])
def test_rows_are_in_the_form_of_the_contract(row: list[str]) -> None:
    in_form(row[2], row[1], None if row[0] == "-" else row[0])
    in_form(row[2], row[1], None)


PIECES = st.sampled_from([line.split("\t")[2] for line in Path(__file__).with_name("formats.tsv").read_text("utf-8").splitlines()[1:]])
JOINTS = st.sampled_from([" ", ", ", " und ", " or ", "\n", "", " - ", "/", " vs "])


@given(
    st.lists(st.one_of(PIECES, st.text(max_size=12)), min_size=1, max_size=6), JOINTS, st.sampled_from(["de", "en"]), st.sampled_from(SLOTS)
)
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_mixture(pieces: list[str], joint: str, lang: str, slot: Any) -> None:
    text = joint.join(pieces)
    checked(text, lang, slot)
    in_form(text, lang, slot)


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text(text: str) -> None:
    checked(text)
    in_form(text, "de", None)


def _mutated(chance: random.Random, pieces: list[str]) -> str:
    """A message of rows and noise: joined, cut, doubled, with letters changed."""
    text = chance.choice([" ", ", ", " und ", "\n", "; "]).join(chance.choice(pieces) for _ in range(chance.randint(1, 5)))
    for _ in range(chance.randint(0, 4)):
        place = chance.randrange(len(text) + 1)
        noise = chance.choice([chr(chance.randrange(32, 0x2FFF)), chance.choice("0123456789.,-x*/%€$kbBhGT "), "", text[place : place + 6]])
        text = text[:place] + noise + text[place + chance.randint(0, 2) :]
    return text * (chance.randint(2, 40) if chance.random() < 0.002 else 1)


ROWS = [line.split("\t")[2] for line in Path(__file__).with_name("formats.tsv").read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize("row", ["700", "8b4it + lora gemma 270m", "gemma E2B E2B;", "3060", "1.000", "0 €", "llama 8b or 70b"])
def test_the_same_again_and_again(row: str) -> None:
    repeats(row)


@pytest.mark.campaign
def test_every_row_again_and_again() -> None:
    for row in ROWS:
        repeats(row)


def repeats(row: str) -> None:
    """What is said over and over takes no longer than other text of its length: nothing is looked up anew at every place."""
    text = f"{row} " * (4096 // (len(row) + 1))
    assert any(checked(text, everything=False) < 3 * FAST for _ in range(3)), row


@pytest.mark.campaign
def test_campaign_of_mutated_messages() -> None:
    """100,000 messages: no exception, none slower than 50 ms, a sample checked against the schema."""
    chance = random.Random(20261130)
    pieces = [line.split("\t")[2] for line in Path(__file__).with_name("formats.tsv").read_text("utf-8").splitlines()[1:]]
    slow = []
    for number in range(100_000):
        text, lang = _mutated(chance, pieces)[:4096], chance.choice(["de", "en"])
        slot = None if number % 3 else chance.choice(SLOTS)
        took = checked(text, lang, slot, everything=number % 4 == 0)
        if took > FAST and min(checked(text, lang, slot) for _ in range(3)) > FAST:
            slow.append((took, text))
        if number % 100 == 0:
            in_form(text, lang, None)
    assert not slow
