"""The headline of an answer about the user's own offers says which one, and why."""

from datetime import date
from typing import Any

import pytest

from bot.rendering import answer
from engine import advise
from engine.catalogue import catalogue
from engine.request import Request

TODAY = date(2026, 11, 30)
LORA = {"models": [{"params_b": 8}], "methods": ["lora"], "goal": "style"}


def first_line(lang: Any, purchase: float | None, rent: float | None, hours: float | None, **parts: Any) -> str:
    quotes: dict[str, Any] = {}
    if purchase is not None:
        quotes["purchase"] = {"amount": purchase, "currency": "EUR", "tax": "net"}
    if rent is not None:
        quotes["rent"] = {"per_hour": rent, "currency": "EUR"}
    usage = {} if hours is None else {"usage": {"training_hours_per_month": hours}}
    request = Request.model_validate({"quotes": quotes, **usage, **parts})
    return answer(advise(request, catalogue(), TODAY), lang).splitlines()[0]


@pytest.mark.parametrize(("hours", "said"), [(600, "Buy. At your hours"), (10, "Rent. At your hours")])
@pytest.mark.parametrize("task", [{}, LORA])
def test_two_prices_get_a_verdict_with_and_without_a_task(hours: float, said: str, task: dict[str, Any]) -> None:
    """8,000 against 1 an hour: 21,600 in 36 months of 600 h, 360 of 10 h."""
    assert said in first_line("en", 8_000, 1.0, hours, **task)


def test_in_german_too() -> None:
    assert "Kaufen. Bei Ihren Stunden kostet das weniger als Mieten." in first_line("de", 8_000, 1.0, 600, **LORA)


def test_what_a_budget_decides_is_not_said_to_be_cheaper() -> None:
    """600 h at once cost 600 in their month, over the 500 of the limit; 8,000 are 222 a month."""
    limit = [{"amount": 500, "currency": "EUR", "period": "month"}]
    assert "Buy. Renting breaks the budget." in first_line("en", 8_000, 1.0, None, budget=limit, usage={"hours_once": 600})


def test_a_single_offer_is_not_said_to_be_cheaper_than_nothing() -> None:
    assert "Rent. There is no purchase to compare it with." in first_line("en", None, 1.0, 100)
    assert "Buy. Renting is ruled out." in first_line("en", 8_000, None, 100, constraints={"no_cloud": True})
