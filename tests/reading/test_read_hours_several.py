"""Several numbers of hours a month in one message: asked about, unless words say that the later one counts."""

from typing import Any

import pytest

from bot.reading import read, understood
from engine.catalogue import catalogue
from engine.request import Language


def told(text: str, lang: Language) -> tuple[dict[str, Any], list[Any]]:
    found = understood(read(text, lang, catalogue()), lang)
    asked = [option.value["hours_per_month"] for one in found.questions if one.slot == "usage" for option in one.options]
    return found.request.contract().get("usage", {}), asked


@pytest.mark.parametrize(
    ("text", "lang", "hours"),
    [
        ("8B LoRA, 12 h im Monat, 4 h im Monat Test", "de", [12, 4, 16]),
        ("täglich 2 h, am Wochenende 5 h, 8B LoRA", "de", [60, 21.7, 81.7]),
        ("8B LoRA, 12 h a month, 5 h a week", "en", [12, 21.7, 33.7]),
        ("8B LoRA, 500 h a month on the server, 400 h a month in the lab", "en", [500, 400]),
    ],
)
def test_hours_that_contradict_each_other_are_asked_about(text: str, lang: Language, hours: list[float]) -> None:
    usage, asked = told(text, lang)
    assert usage == {}
    assert asked == hours


@pytest.mark.parametrize(
    ("text", "lang", "hours"),
    [
        ("8B LoRA, 12 h im Monat, nein, 20 h im Monat", "de", 20),
        ("8B LoRA, 5 h pro Woche, also 20 h im Monat", "de", 20),
        ("2 runs of 5 h a month, so about 12 h a month, 8B LoRA", "en", 12),
        ("8B LoRA, 12 h a month, sorry, 20 h a month", "en", 20),
        ("8B LoRA, 5 h a week, 21 h a month", "en", 21),
    ],
)
def test_a_later_number_that_corrects_or_sums_up_counts(text: str, lang: Language, hours: float) -> None:
    assert told(text, lang) == ({"training_hours_per_month": hours}, [])


def test_training_and_use_have_hours_of_their_own() -> None:
    usage = {"training_hours_per_month": 12, "serving_hours_per_month": 200}
    assert told("Training 12 h im Monat, Inferenz 200 h im Monat, 8B LoRA", "de") == (usage, [])


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("3 h am Tag, 5 Tage die Woche", "de"),
        ("täglich 3 h an 5 Tagen pro Woche", "de"),
        ("3 h a day, 5 days a week", "en"),
        ("3 h a day for 5 days a week", "en"),
    ],
)
def test_days_of_a_week_are_no_second_number(text: str, lang: Language) -> None:
    assert told(text, lang) == ({"training_hours_per_month": 65.2}, [])
