"""A purchase offer that comes with a card or a tariff costs its power, too; mere prices against each other stay what they are."""

from datetime import date

import pytest

from engine import advise
from engine.catalogue import catalogue
from engine.request import Request
from engine.rules.asked import CARD

KNOWN = catalogue()
TODAY = date(2026, 11, 30)
PURCHASE = {"amount": 1_800, "currency": "EUR", "tax": "net"}
LORA = {"models": [{"params_b": 8}], "methods": ["lora"], "goal": "style", "usage": {"training_hours_per_month": 100}}


def advice(quotes: dict, *cards: str, **parts: object):
    request = Request.model_validate({"quotes": {"purchase": PURCHASE, **quotes}, **parts})
    return advise(request, KNOWN, TODAY, symptoms=frozenset(CARD + card for card in cards))


def cost_of_buying(found) -> float:
    return next(plan.cost.magnitude for plan in found.plans if plan.acquisition == "buy")


def hours(found) -> dict:
    return {one.id: one.break_even.magnitude for one in found.acquisition.variants}


def test_a_card_in_question_draws_its_power():
    """RTX 4090: 450 + 320 W at work, 100 W idle; (0.77 x 3,600 + 0.1 x 22,680) kWh x 1.5 x 0.32 = 2,419 €."""
    found = advice({"tariff": {"per_kwh": 0.32, "currency": "EUR"}, "pue": 1.5}, "rtx4090", **LORA)
    assert cost_of_buying(found) == pytest.approx(1_800 + (0.77 * 3_600 + 0.1 * 22_680) * 1.5 * 0.32)
    assert found.acquisition.verdict == "rent"
    assert found.plans[0].acquisition == "rent"
    assert hours(found)["price_only"] < hours(found)["with_energy"] == pytest.approx(hours(found)["full"])
    assert found.assumed["quotes.power.load_w"] == 770
    assert "quotes.tariff.per_kwh" not in found.assumed


def test_a_card_they_named_draws_at_the_usual_tariff():
    found = advice({}, **{**LORA, "hardware": [{"gpu": "RTX 4090"}]})
    assert cost_of_buying(found) == pytest.approx(1_800 + (0.77 * 3_600 + 0.1 * 22_680) * 0.30)
    assert found.assumed["quotes.tariff.per_kwh"] == pytest.approx(0.30)
    assert found.acquisition.default_power is None


def test_how_many_cards_an_offer_is_of_is_not_guessed_from_the_task():
    """70B takes several RTX 4090; the offer may be of one or of eight."""
    found = advice({}, "rtx4090", **{**LORA, "models": [{"params_b": 70}]})
    assert cost_of_buying(found) == pytest.approx(1_800)
    assert "quotes.power.load_w" not in found.assumed


def test_a_tariff_for_a_task_without_a_card_is_that_of_a_common_server():
    """450 W at work, 100 W idle."""
    found = advice({"tariff": {"per_kwh": 0.40, "currency": "EUR"}}, **LORA)
    assert cost_of_buying(found) == pytest.approx(1_800 + (0.45 * 3_600 + 0.1 * 22_680) * 0.40)


def test_a_power_they_named_stands_alone():
    found = advice({"power": {"load_w": 600}, "tariff": {"per_kwh": 0.40, "currency": "EUR"}}, "rtx4090", **LORA)
    assert cost_of_buying(found) == pytest.approx(1_800 + 0.6 * 3_600 * 0.40)


@pytest.mark.parametrize("parts", [LORA, {"usage": LORA["usage"]}])
def test_prices_alone_stay_literal(parts):
    found = advice({"rent": {"per_hour": 1.0, "currency": "EUR"}}, **parts)
    assert cost_of_buying(found) == pytest.approx(1_800)
    assert set(hours(found).values()) == {1_800}
    assert found.acquisition.default_power is not None
