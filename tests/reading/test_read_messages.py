"""Whole messages: what is understood of each, what is asked back, and which question it asks (messages.yaml)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.reading import changed, intent_of, read, understood
from engine.catalogue import catalogue
from engine.request import Request

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["message"][:60] for case in CASES])
def test_message(case: dict[str, Any]) -> None:
    readings = read(case["message"], case["lang"], catalogue())
    found = understood(readings, case["lang"])
    assert found.request.contract() == {"lang": case["lang"], **case["understood"]}
    assert [question.slot for question in found.questions] == case.get("asks", [])
    assert {one for one in found.mentions if ":" not in one} == set(case.get("mentions", []))
    assert intent_of(case["message"], readings) == case.get("intent")


BEFORE = Request.model_validate(
    {
        "lang": "de",
        "models": [{"name": "Llama 3.1 8B"}],
        "methods": ["lora"],
        "training": {"sequence_length": 2048, "micro_batch": 2},
        "hardware": [{"gpu": "GeForce RTX 3090", "memory_gb": 24, "count": 1, "kind": "vram"}],
        "usage": {"training_hours_per_month": 12},
        "budget": [{"amount": 5000, "currency": "EUR"}],
    }
)


@pytest.mark.parametrize(
    ("text", "field", "after"),
    [
        ("und mit 4k?", "training", {"sequence_length": 4096, "micro_batch": 2}),
        ("what if QLoRA?", "methods", ["qlora"]),
        ("and on two cards?", "hardware", [{"gpu": "GeForce RTX 3090", "memory_gb": 24, "count": 2, "kind": "vram"}]),
        ("und auf zwei Karten?", "hardware", [{"gpu": "GeForce RTX 3090", "memory_gb": 24, "count": 2, "kind": "vram"}]),
        ("und auf einer 4090?", "hardware", [{"gpu": "GeForce RTX 4090", "memory_gb": 24, "count": 1, "kind": "vram"}]),
        ("with 13b?", "models", [{"params_b": 13}]),
        ("20 h im Monat", "usage", {"training_hours_per_month": 20}),
        ("einmalig 40 h", "usage", {"hours_once": 40}),
        ("Budget 3000 €", "budget", [{"amount": 3000, "currency": "EUR", "period": "once", "bound": "max"}]),
        ("batch 8", "training", {"sequence_length": 2048, "micro_batch": 8}),
    ],
)
def test_follow_up_changes_one_thing(text: str, field: str, after: Any) -> None:
    told = changed(BEFORE, read(text, "de", catalogue())).contract()
    assert told[field] == after
    assert {key: value for key, value in told.items() if key != field} == {
        key: value for key, value in BEFORE.contract().items() if key != field
    }


def test_what_cannot_stand_changes_nothing() -> None:
    assert changed(BEFORE, read("9000 hours a month", "en", catalogue())) == BEFORE


def test_language_decides_the_sign() -> None:
    def budget(text: str, lang: Any) -> Any:
        found = understood(read(text, lang, catalogue(), "budget"), lang)
        return found.request.budget[0].amount if found.request.budget else [one.slot for one in found.questions]

    assert budget("1.500 €", "de") == 1500
    assert budget("1,500 €", "en") == 1500
    assert budget("1.500 €", "en") == ["budget"]
    assert budget("1.500,50 €", "de") == 1500.5
    assert budget("1.500,50 €", "en") == 1500.5
    assert budget("2,5 Tsd. €", "de") == 2500
    assert budget("1,5 €", "de") == 1.5
    assert budget("1.5 €", "de") == ["budget"]
