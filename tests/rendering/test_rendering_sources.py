"""The sources of an answer: what was bought or rented by its name, only what a source says, nothing that only a program needs."""

import datetime
import re
from dataclasses import replace
from typing import Any

import pytest
from made_recommendations import SOURCES, rate, shape_a, verdict

from bot.answering import answer_message
from bot.rendering import explanation
from bot.rendering.sources import plain_title
from engine.catalogue import Figure, Source, catalogue

TODAY = datetime.date(2026, 11, 30)
ASKED = (
    "8B lora 12 h/Monat 5000 €",
    "70B für 20 Nutzer betreiben, 100 h im Monat",
    "70B QLoRA, 40 h im Monat, nur EU",
    "7B von null trainieren",
)


def shown(*figures: Figure, **sources: Source) -> str:
    return explanation(replace(shape_a(), figures=figures), "sources", "de", "text", {**SOURCES, **sources})


@pytest.mark.parametrize("message", ASKED)
@pytest.mark.parametrize("lang", ["de", "en"])
def test_no_id_and_no_hash_of_a_file_is_shown(message: str, lang: Any) -> None:
    made = answer_message(message, "de", catalogue(), TODAY)
    lines = explanation(made, "sources", lang).split("\n")[:-1]  # the last names the versions
    prices = {price.id for price in (*catalogue().offers, *catalogue().listings)}
    assert len([line for line in lines if line.startswith("•")]) == len(made.figures)
    assert not [name for name in prices for line in lines if name in line]
    assert not [line for line in lines if re.search(r"@[0-9a-f]{7}", line)]


def test_a_price_is_named_by_its_card_and_seller() -> None:
    offer = next(one for one in catalogue().offers if one.gpu == "a40")
    assert f"A40, {offer.provider}: 0,66 EUR/h" in shown(rate(offer.id))
    listing = next(one for one in catalogue().listings if one.gpu == "rtx5090" and one.kind == "street")
    figure = Figure(listing.id, 2000.0, listing.currency, "rental-prices", TODAY)
    assert "• RTX 5090, Straßenpreis: " in shown(figure)


def test_the_range_of_an_old_price_is_not_what_its_source_says() -> None:
    offer = next(one for one in catalogue().offers if one.gpu == "a40")
    found = shown(replace(rate(offer.id), value=(0.3, 0.7)))
    assert "0,5 EUR/h" in found
    assert "deshalb als Spanne gerechnet" in found
    assert "0,3–0,7" not in found


def test_a_range_that_was_not_read_is_told_as_ours() -> None:
    found = shown(Figure("pue_colocation", (1.2, 1.5), "dimensionless", "rental-prices", TODAY, verified=False))
    assert "1,2–1,5, unsere Einschätzung, dort nicht genannt" in found
    assert "0 Tage" not in found
    assert "1,2–1,5, 30.11.2026, 0 Tage alt" in shown(Figure("pue_colocation", (1.2, 1.5), "dimensionless", "rental-prices", TODAY))


@pytest.mark.parametrize("key", ["general-knowledge", "own-judgement"])
def test_what_nobody_read_has_no_age(key: str) -> None:
    source = Source(key, "Judgement", None, TODAY)
    found = shown(Figure("host_board_power", 150.0, "W", key, TODAY, verified=False), **{key: source})
    assert "Mainboard, Lüfter und Laufwerke: 150 W\n" in found
    assert "alt" not in found.partition("Katalog")[0].partition("150")[2]


def test_a_source_stands_only_over_its_figures() -> None:
    made = replace(shape_a(), figures=(rate(),), surroundings=(verdict("geforce-licence"),))
    assert SOURCES["mittelstand-training-server"].title not in explanation(made, "sources", "en", "text", SOURCES)


def test_titles_lose_the_marks_of_what_was_read() -> None:
    assert plain_title("feed 2026-10.jsonl @3c41e77 (2026-10-03T11:38Z)") == "feed 2026-10.jsonl (2026-10-03)"
    assert plain_title("api/coreweave (plans, @27bcc25)") == "api/coreweave (plans)"
    assert plain_title("someone/data@9d82827") == "someone/data"
    assert plain_title("mail@example.org") == "mail@example.org"
