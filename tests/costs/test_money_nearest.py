"""What still fits a budget that breaks every plan, and that the currency of a budget changes no verdict."""

from datetime import date

import pytest

from engine import advise
from engine.catalogue import catalogue
from engine.costs import RentTerms, Workload
from engine.nearest import fewer_hours, nearest
from engine.recommendation import Plan
from engine.request import Budget, Request
from engine.ways import Way
from engine.weighing import EVERY_WAY, Limits

KNOWN = catalogue()
HUNDRED_HOURS = Workload(training=100)


def rented(**terms: float) -> Way:
    spot = terms.pop("spot", None)
    return Way(
        Plan("rent", "lora", None, None, None, "somebody", None, None),
        terms=RentTerms(per_hour=2.0, **terms),
        spot=None if spot is None else RentTerms(per_hour=spot, restarts=0.15),
    )


def limits(amount: float, period: str) -> Limits:
    return Limits(EVERY_WAY, (Budget(amount=amount, currency="EUR", period=period),), 0.1, 0.2, lambda value, currency: value)


def given_up(way: Way, budget: Limits, work: Workload = HUNDRED_HOURS) -> dict:
    return {plan.gives_up[0]: plan for plan in nearest([way], work, budget, "EUR")}


def test_fewer_hours_spend_the_budget():
    """100 h a month at 2 € are 200 €; 150 € a month pay for 75 h."""
    found = given_up(rented(), limits(150, "month"))["fewer_hours"]
    assert found.details["hours_per_month"].magnitude == pytest.approx(75)
    assert found.cost.magnitude == pytest.approx(36 * 150)


def test_fewer_hours_end_at_a_billing_step():
    found = fewer_hours(rented(billing_step=10.0), HUNDRED_HOURS, limits(155, "month"))
    assert found is not None
    assert found.training == pytest.approx(70)


def test_one_month_fits_where_three_years_do_not():
    found = given_up(rented(), limits(250, "once"))
    assert found["rent_a_month"].cost.magnitude == pytest.approx(200)
    assert found["rent_a_month"].hours.magnitude == pytest.approx(100)


def test_spot_costs_less_and_its_restarts():
    """100 h x 1.15 x 0.80 = 92 € a month"""
    found = given_up(rented(spot=0.80), limits(95, "month"))
    assert found["spot"].cost.magnitude == pytest.approx(36 * 92)
    assert "spot" not in given_up(rented(spot=0.80), limits(91, "month"))


def test_serving_is_never_interrupted():
    assert "spot" not in given_up(rented(spot=0.80), limits(95, "month"), Workload(serving=100))


def test_nothing_fits_a_budget_of_nothing():
    assert given_up(rented(), limits(0, "month")) == {}


@pytest.mark.parametrize("month", [12, 300, 730])
def test_the_currency_of_a_budget_changes_no_verdict(month):
    verdicts = {
        advise(
            Request.model_validate(
                {
                    "models": [{"params_b": 14}],
                    "methods": ["lora"],
                    "usage": {"training_hours_per_month": month},
                    "budget": [{"amount": 1e9, "currency": currency}],
                }
            ),
            KNOWN,
            date(2026, 11, 30),
        ).acquisition.verdict
        for currency in ("EUR", "USD", "GBP", "CHF")
    }
    assert len(verdicts) == 1


BUY_70B = {
    "models": [{"params_b": 70}],
    "methods": ["lora"],
    "constraints": {"no_cloud": True},
    "budget": [{"amount": 15_000, "currency": "EUR", "period": "once"}],
}


def test_a_purchase_is_held_against_the_budget_without_hours_too():
    """Four A100 break 15,000 whatever the hours; one card for QLoRA, or a smaller model, does not."""
    found = advise(Request.model_validate(BUY_70B), KNOWN, date(2026, 11, 30))
    assert found.acquisition.verdict == "none"
    lesser = {plan.gives_up[0]: plan for plan in found.plans if plan.gives_up}
    assert set(lesser) == {"qlora", "smaller_model"}
    assert all(plan.acquisition == "buy" and plan.within_budget and plan.details["purchase"].magnitude < 15_000 for plan in lesser.values())
    assert all(plan.within_budget is False for plan in found.plans if not plan.gives_up)
    assert "over_budget" in {warning.subject for warning in found.warnings}


def test_where_renting_is_open_the_hours_decide_what_the_budget_pays_for():
    found = advise(Request.model_validate({**BUY_70B, "constraints": {"no_cloud": False}}), KNOWN, date(2026, 11, 30))
    assert all(plan.within_budget is None for plan in found.plans)
    assert "over_budget" not in {warning.subject for warning in found.warnings}
