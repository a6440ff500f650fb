"""What a card in question costs either way does not wait for the model it is meant for; the verdict does."""

from datetime import date

import pytest

from engine import advise
from engine.catalogue import catalogue
from engine.request import Request
from engine.rules.asked import CARD

KNOWN = catalogue()
TODAY = date(2026, 11, 30)


def advice(card: str, **parts: object):
    return advise(Request.model_validate(parts), KNOWN, TODAY, symptoms=frozenset({CARD + card}))


@pytest.mark.parametrize(
    ("card", "sold"),
    [("RTX PRO 6000 Blackwell Max-Q", "rtxpro6000ws"), ("A100 80GB SXM4", "a100-80-pcie"), ("GeForce RTX 4090", "rtx4090")],
)
def test_both_ways_are_priced_without_a_model_and_nothing_is_decided(card, sold):
    found = advice(card)
    plans = {plan.acquisition: plan for plan in found.plans}
    assert plans["rent"].gpu.name == card
    assert plans["rent"].details["per_hour"].magnitude > 0
    assert plans["buy"].gpu.id == sold
    assert plans["buy"].details["purchase"].magnitude > 0
    assert found.acquisition.verdict is None
    assert all(one.break_even is None for one in found.acquisition.variants)
    assert "model" in {question.slot for question in found.questions}


def test_with_hours_they_are_costs_over_the_horizon():
    found = advice("GeForce RTX 4090", usage={"training_hours_per_month": 100})
    rent = next(plan for plan in found.plans if plan.acquisition == "rent")
    assert rent.cost.magnitude == pytest.approx(3_600 * rent.details["per_hour"].magnitude)
    assert found.acquisition.verdict is None


def test_what_may_not_be_rented_is_not_priced():
    assert {plan.acquisition for plan in advice("GeForce RTX 4090", constraints={"no_cloud": True}).plans} == {"buy"}
