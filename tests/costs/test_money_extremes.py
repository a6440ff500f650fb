"""Whatever the contract allows: finite numbers, no negative hours, and a question where there is no verdict. Nonsense is refused."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from engine.catalogue import catalogue
from engine.costs import Own, RentTerms, Workload
from engine.errors import Refusal
from engine.money import money_of
from engine.request import Request

CURRENCIES = ("EUR", "USD", "GBP", "CHF")


def sizes(low: float, high: float) -> st.SearchStrategy[float]:
    """Ordinary amounts, and the ends of what the contract allows."""
    ends = [value for value in (low, 1e-320, 1e-12, 1.0, 1e9, high) if low <= value <= high]
    return st.one_of(st.floats(low, min(high, 1e5)), st.sampled_from(ends))


currencies = st.sampled_from(CURRENCIES)
purchases = st.fixed_dictionaries({"amount": sizes(0, 1e12)}, optional={"currency": currencies, "tax": st.sampled_from(["net", "gross"])})
hourly = st.fixed_dictionaries({"per_hour": sizes(1e-320, 1e9)}, optional={"monthly_cap": sizes(1e-320, 1e12)})
rents = st.tuples(
    st.one_of(hourly, st.fixed_dictionaries({"per_month": sizes(1e-320, 1e12)}), st.just({"monthly_cap": 5.0})),
    st.fixed_dictionaries({}, optional={"currency": currencies, "setup_fee": sizes(0, 1e12), "billing_step_minutes": sizes(0, 44_640)}),
).map(lambda parts: {**parts[0], **parts[1]})
powers = st.fixed_dictionaries(
    {}, optional={"load_w": sizes(0, 1e8), "idle_w": sizes(0, 1e8), "powered": st.sampled_from(["always", "when_used"])}
)
quotes = st.fixed_dictionaries(
    {},
    optional={
        "purchase": purchases,
        "rent": rents,
        "power": powers,
        "tariff": st.fixed_dictionaries({"per_kwh": sizes(0, 100)}, optional={"currency": currencies}),
        "pue": sizes(1, 10),
        "maintenance_share_per_year": st.floats(0, 1),
        "resale_share": st.floats(0, 1),
        "discount_rate": st.floats(0, 1),
        "speed_ratio": sizes(1e-320, 1_000),
        "colocation_per_month": sizes(0, 1e12),
    },
)
usages = st.fixed_dictionaries(
    {},
    optional={"hours_once": sizes(0, 1e7), "serving_hours_per_month": st.floats(0, 730), "horizon_months": st.integers(1, 240)},
)
budgets = st.lists(
    st.fixed_dictionaries(
        {"amount": sizes(0, 1e12)},
        optional={
            "currency": currencies,
            "period": st.sampled_from(["once", "month", "day", "hour"]),
            "bound": st.sampled_from(["max", "about"]),
        },
    ),
    max_size=2,
)


def numbers(found) -> list[float]:
    bought = found.acquisition
    money = [side for month in bought.curve for side in (month.own, month.rent)] + [plan.cost for plan in found.plans]
    times = [one.break_even for one in bought.variants] + [end for one in bought.sensitivity for end in (one.low, one.high)]
    return [one.magnitude for one in (*money, *times) if one is not None]


@settings(max_examples=150, deadline=None)
@given(quotes=quotes, usage=usages, budget=budgets)
def test_whatever_is_allowed_gives_finite_numbers_or_is_refused(quotes, usage, budget):
    request = Request.model_validate({"quotes": quotes, "usage": usage, "budget": budget})
    try:
        found = money_of(request, catalogue())
    except Refusal:
        return
    assert all(math.isfinite(value) for value in numbers(found))
    assert all(one.break_even is None or one.break_even.magnitude >= 0 for one in found.acquisition.variants)
    assert all((one.break_even is None) == (one.why_null is not None) for one in found.acquisition.variants)
    assert found.acquisition.verdict is not None or found.questions
    assert all(plan.within_budget for plan in found.plans[:1]) or not any(plan.within_budget for plan in found.plans)
    if found.acquisition.verdict in ("rent", "buy"):
        assert found.plans[0].acquisition == found.acquisition.verdict
        assert found.plans[0].within_budget is not False


@pytest.mark.parametrize(
    "text",
    [
        '{"usage": {"training_hours_per_month": -1}}',
        '{"usage": {"training_hours_per_month": 731}}',
        '{"usage": {"training_hours_per_month": 400, "serving_hours_per_month": 331}}',
        '{"usage": {"horizon_months": 0}}',
        '{"quotes": {"rent": {"per_hour": 0, "currency": "EUR"}}}',
        '{"quotes": {"rent": {"per_hour": NaN, "currency": "EUR"}}}',
        '{"quotes": {"rent": {"per_hour": 1e999, "currency": "EUR"}}}',
        '{"quotes": {"rent": {"per_hour": 1, "per_month": 2, "currency": "EUR"}}}',
        '{"quotes": {"purchase": {"amount": 1, "currency": "DM"}}}',
        '{"quotes": {"resale_share": 1.5}}',
        '{"quotes": {"speed_ratio": 0}}',
    ],
)
def test_nonsense_never_becomes_a_request(text):
    with pytest.raises(ValidationError):
        Request.from_json(text)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: Own(-1), "not_a_price"),
        (lambda: Own(math.nan), "not_a_price"),
        (lambda: Own(1, resale_share=1.5), "share_above_one"),
        (lambda: RentTerms(per_hour=0.0), "not_a_price"),
        (lambda: RentTerms(per_hour=math.inf), "not_a_price"),
        (lambda: RentTerms(monthly_cap=889.0), "rent_needs_one_price"),
        (lambda: RentTerms(per_hour=1.0, overhead=1.0), "share_above_one"),
        (lambda: Workload(training=731), "hours_above_month"),
        (lambda: Workload(training=-1), "not_a_price"),
        (lambda: Workload(months=0), "horizon_zero"),
    ],
)
def test_terms_refuse_what_cannot_be(make, code):
    with pytest.raises(Refusal) as refused:
        make()
    assert refused.value.code == code
