"""Own, rent, buy: what the rules close whatever the money says, and what stays open."""

import datetime

import pytest

from engine import Request, advise
from engine.catalogue import catalogue

TODAY = datetime.date(2026, 11, 30)
AROUND_THE_CLOCK = {"training_hours_per_month": 730, "horizon_months": 60}
CHEAP = {"purchase": {"amount": 5000, "currency": "EUR", "tax": "net"}, "rent": {"per_hour": 5, "currency": "EUR"}}


def advice(request):
    return advise(Request.model_validate(request), catalogue(), TODAY)


@pytest.mark.parametrize(
    "request_",
    [
        {"models": [{"params_b": 7}], "methods": ["pretrain"], "usage": AROUND_THE_CLOCK},
        {"models": [{"params_b": 13}], "methods": ["full"], "usage": AROUND_THE_CLOCK},
        {"models": [{"params_b": 13}], "methods": ["full"], "lora_baseline": "insufficient", "usage": AROUND_THE_CLOCK},
        {"models": [{"params_b": 70}], "methods": ["qlora"], "usage": AROUND_THE_CLOCK},
    ],
    ids=["from scratch", "first full", "full after a baseline", "70B"],
)
def test_what_is_never_bought_from_the_catalogue(request_):
    answer = advice(request_)
    assert answer.acquisition.verdict in ("rent", "none")
    assert all(plan.acquisition != "buy" for plan in answer.plans)


def test_an_offer_of_their_own_is_compared_whatever_the_rules_say():
    request = {"models": [{"params_b": 13}], "methods": ["full"], "usage": AROUND_THE_CLOCK, "quotes": CHEAP}
    assert advice(request).acquisition.verdict == "buy"


def test_a_machine_that_serves_the_rest_of_the_time_may_be_bought():
    usage = {"training_hours_per_month": 12, "serving_hours_per_month": 700}
    plans = advice({"models": [{"params_b": 70}], "methods": ["qlora"], "usage": usage}).plans
    assert "buy" in [plan.acquisition for plan in plans]


def test_no_cloud_means_no_rent():
    usage = {"training_hours_per_month": 12}
    answer = advice({"models": [{"params_b": 8}], "methods": ["lora"], "usage": usage, "constraints": {"no_cloud": True}})
    assert answer.acquisition.verdict == "buy"
    assert all(plan.acquisition != "rent" for plan in answer.plans)


def test_what_they_own_and_holds_it_is_used():
    answer = advice({"models": [{"params_b": 8}], "methods": ["lora"], "hardware": [{"gpu": "RTX 4090"}]})
    assert answer.acquisition.verdict == "owned"
    assert answer.plans[0].acquisition == "owned"


def test_zero_hours_need_nothing():
    answer = advice({"models": [{"params_b": 8}], "methods": ["lora"], "usage": {"training_hours_per_month": 0}})
    assert answer.acquisition.verdict == "none"
